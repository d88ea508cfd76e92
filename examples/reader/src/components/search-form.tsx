import type { SearchMode } from '@lectern/client';
import type { TargetedSubmitEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { SearchRequest } from '../api';
import { chapterPath, passagePath, searchPath } from '../build-page-paths';
import { useReader } from '../reader-context';
import { TranslationSelect } from './translation-select';

const modes: Readonly<Partial<Record<SearchMode, string>>> = {
  BEST: 'Words and meaning',
  WORDS: 'Words',
  MEANING: 'Meaning',
};

/** Returns BEST if the text is not the name of another search mode. */
export const parseMode = (text: string | undefined): SearchMode =>
  text === 'WORDS' || text === 'MEANING' ? text : 'BEST';

/** The chapter of a reference of the service, such as 30 of `1 John 30` and `1 John 30:2`. */
const chapterOf = (reference: string): number => Number(/ (\d+)(?:[:-]|$)/.exec(reference)?.[1] ?? 1);

/**
 * A form that opens the results of a search, or the passage if the text is a reference. The
 * properties are the initial values of its fields.
 */
export function SearchForm({ query, mode, ...initial }: SearchRequest): VNode {
  const { api } = useReader();
  const { route } = useLocation();
  const [translation, setTranslation] = useState(initial.translation);

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = String(fields.get('query')).trim();
    if (text === '') return;
    // If this request fails, the text counts as words. The search screen then tells why, unless it
    // can search a stored package.
    const reference = await api.readReference(translation, text).catch(() => null);
    if (reference?.status === 'OK') route(passagePath(translation, text));
    // The screen of a chapter that does not exist says which ones do.
    else if (reference?.status === 'OUT_OF_RANGE')
      route(chapterPath(translation, reference.bookId, chapterOf(reference.reference)));
    else route(searchPath(translation, text, parseMode(`${fields.get('mode')}`)));
  }

  return (
    <form role="search" onSubmit={(event) => void submit(event)}>
      <p class="search-line">
        <label class="visually-hidden" for="query">
          Words, a question or a reference
        </label>
        <input
          id="query"
          name="query"
          type="search"
          maxLength={200}
          defaultValue={query}
          placeholder="Words or a reference"
        />
        <button type="submit">Search</button>
      </p>
      <div class="picker">
        <label class="wide">
          Search for
          <select name="mode">
            {Object.entries(modes).map(([value, name]) => (
              <option key={value} value={value} selected={value === mode}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <TranslationSelect label="Translation" value={translation} onChange={setTranslation} />
      </div>
    </form>
  );
}
