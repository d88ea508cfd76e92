import { findSaying, parseReference, type Saying, verseOrdinal } from '@lectern/canon';
import type { Hint } from '@lectern/subgraph';
import type { Guidance, SearchMode } from './full-text/verse-search';
import type { Needs, UnderstoodNeed } from './needs';

/** What a query was understood to be, beside its words and its reference. At most one of the two is not null. */
export interface Understanding {
  saying: Saying | null;
  need: UnderstoodNeed | null;
}

/** The maximum number of verses that come first: a page also shows what the search found. */
const maxLeading = { saying: 5, occasion: 5, distress: 3 } as const;

/** `recognized` is the need that was recognized by the meaning of the query. Without it, only clear words count. */
export function understand(query: string, needs: Needs, recognized: UnderstoodNeed | null): Understanding {
  const saying = findSaying(query);
  return { saying, need: saying ? null : (recognized ?? needs.find(query)) };
}

/** In WORDS, only comfort comes first. `isNamed`: the query names a passage, which begins with a saying's verses. */
export function guide({ saying, need }: Understanding, mode: SearchMode, isNamed: boolean): Guidance {
  const harmless = need?.harmless?.verses ?? null;
  const isDistress = harmless !== null;
  const isLed = isDistress || (mode !== 'WORDS' && !(isNamed && saying?.status === 'IN_BIBLE'));
  const first = isDistress ? maxLeading.distress : maxLeading.occasion;
  const given = () => need?.give.slice(0, need.isCry ? undefined : first) ?? [];
  // A reference is parsed only for a saying whose verses come first.
  const leading = () => (saying ? nearestTo(saying).slice(0, maxLeading.saying) : given());
  return { leading: isLed ? leading() : [], reason: isDistress ? 'CARE' : 'UNDERSTOOD', harmless };
}

/** Returns the nearest verses of a saying, as ordinals in the standard numbering. */
export function nearestTo({ references }: Saying): number[] {
  const parsed = parseReference(references, 'eng');
  const spans = parsed.kind === 'reference' ? parsed.spans : [];
  return spans.flatMap(({ start, end }) => {
    const first = verseOrdinal({ ...start, chapter: start.chapter ?? 1, verse: start.verse ?? 1 });
    return Array.from({ length: Math.max(1, (end.verse ?? 1) - (start.verse ?? 1) + 1) }, (_, at) => first + at);
  });
}

/** Returns the hint to a client whose query shows distress. */
export const careHint = (coordinate: string, { need }: Pick<Understanding, 'need'>): Hint | null =>
  need?.harmless
    ? {
        coordinate,
        message:
          'The query may be that of a person in distress, so verses that could wound are left out. People who help exist: a doctor, a counsellor, a crisis line or an emergency number.',
      }
    : null;
