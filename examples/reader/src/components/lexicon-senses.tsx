import type { VNode } from 'preact';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { AsyncData } from './async-data';
import { TextWithOriginals } from './original-text';
import { useTextAttributes } from './translation-text';

export interface LexiconSensesProps {
  readonly translation: string;
  /** A Strong's number without the letter. Null for a word that Strong did not number. */
  readonly number: string | null;
  readonly letter: string | null;
}

/** What the lexicons say of a word, and what a translation writes for it. */
export function LexiconSenses({ translation, number, letter }: LexiconSensesProps): VNode | null {
  const { api } = useReader();
  const attributes = useTextAttributes(translation);
  const data = useData(
    async (signal) => (number === null ? null : api.lexicons(translation, number, signal)),
    [api, translation, number],
  );
  return (
    <AsyncData data={data}>
      {(word) => {
        // A Strong's number with letters, such as H1254a and H1254b, stands for several words. Only
        // the entries with the letter of this word are shown.
        const entries = (word?.lexicons ?? []).filter(({ numbers }) =>
          numbers.some((each) => each.number === number && (!letter || !each.letter || each.letter === letter)),
        );
        const renderings = word?.renderings ?? [];
        return (
          <>
            {renderings.length > 0 && (
              <p class="hint">
                Translated:{' '}
                {renderings.map(({ form, occurrences }, index) => (
                  <>
                    {index > 0 && ', '}
                    <bdi {...attributes}>{form}</bdi> {occurrences}
                  </>
                ))}
              </p>
            )}
            {entries.map(({ id, lexicon, gloss, senses }) => (
              <section key={id} class="lexicon">
                <h3>{lexicon.title}</h3>
                {senses.length === 0 && gloss !== null && (
                  <p>
                    <TextWithOriginals text={gloss} />
                  </p>
                )}
                <ul>
                  {senses.map((sense) => (
                    <li key={sense.number ?? sense.text} style={{ '--indent': sense.level }}>
                      <TextWithOriginals text={[sense.number, sense.stem, sense.text].filter(Boolean).join(' ')} />
                    </li>
                  ))}
                </ul>
                <p class="attribution">{lexicon.licence.attribution}</p>
              </section>
            ))}
          </>
        );
      }}
    </AsyncData>
  );
}
