import { parsePlace, verseOrdinal } from '@lectern/canon';
import type { Distress } from '@lectern/embeddings';
import type { Hint } from '@lectern/subgraph';
import { foldWord, withoutTilde } from '@lectern/words';

/**
 * Patterns for clear words of people in distress, in folded text without apostrophes and with n for ñ. The embedding
 * model recognizes much more (`createFindDistress`), but may be unavailable.
 */
const phrases: readonly (readonly [Distress, RegExp])[] = [
  [
    'SUICIDE',
    /suicidal|suicide (thoughts|note|prevention)|(of|about|considering|attempted) suicide$|suicid(a|ar[ms]e)\b|\bkill(ing)? myself|(take|taking|end|ending) my (own )?life|want to die\b|quit\w{1,20} la vida|no quier[oe] (vivir|seguir viviendo)|quiero (morir|matar)me/,
  ],
  ['SELF_HARM', /self ?-?harm|(cut|cutting|hurt|hurting) myself|autolesi|\bme (corto|lastimo|hago (dano|cortes))/],
  [
    'ABUSE',
    /domestic violence|\b(husband|wife|father|dad|mother|boyfriend|girlfriend) (hits|beats) me|violencia domestica|\bme (pega|golpea|violo)\b/,
  ],
  [
    'GRIEF',
    /lost (my|our) (baby|son|daughter|husband|wife|mother|father|mom|dad)|passed away|(murio|fallecio) mi\b|perdi a mi\b|extrano (mucho )?a mi/,
  ],
  ['LONELINESS', /\bi( a)?m (so )?lonely|i have no friends|me siento (muy |tan )?sol[oa]\b|no tengo amigos/],
  ['ADDICTION', /(my|an?|i( a)?m) (\w+ )?addict|\b(porn|drug|alcohol) addiction|\b(mi|una?) adicci/],
  [
    'INFIDELITY',
    /(husband|wife|boyfriend|girlfriend) (is |has been )?cheat|cheated on me|(?<!serpiente )\bme (engano|es infiel|fue infiel)\b/,
  ],
  [
    'JOB_LOSS',
    /lost my job|(got|was|been) (fired|laid off)|me despidieron|perdi (mi|el) (trabajo|empleo)|anos sin empleo/,
  ],
];

/** Returns the distress that the English or Spanish words of a query show, or null. */
export function recognizeDistress(query: string): Distress | null {
  const folded = withoutTilde(foldWord(query)).replaceAll(/['’]/g, '').replaceAll(/\s+/g, ' ').trim();
  return phrases.find(([, pattern]) => pattern.test(folded))?.[0] ?? null;
}

/**
 * Verses of comfort, in the standard numbering. We have read each in eng-web, eng-kjv and spa-rv1909. None blames,
 * threatens or commands a person who suffers.
 */
const comfort: Readonly<Record<Distress, string>> = {
  SUICIDE: 'PSA 34:18|PSA 46:1|PSA 73:23|PSA 121:2|PSA 147:3|ISA 41:10|LAM 3:22|LAM 3:23|MAT 11:28|ROM 8:38|ROM 8:39',
  SELF_HARM: 'PSA 34:18|PSA 46:1|PSA 73:23|PSA 147:3|ISA 41:10|ISA 49:16|LAM 3:22|LAM 3:23|MAT 11:28|2CO 1:3',
  ABUSE: 'PSA 9:9|PSA 27:10|PSA 34:18|PSA 46:1|PSA 72:14|PSA 147:3|ISA 41:10|ISA 49:15|MAT 11:28|2CO 1:3',
  GRIEF: 'PSA 23:4|PSA 34:18|PSA 46:1|PSA 147:3|ISA 41:10|MAT 5:4|JHN 11:25|ROM 8:38|ROM 8:39|2CO 1:3|2CO 1:4|REV 21:4',
  LONELINESS: 'PSA 27:10|PSA 34:18|PSA 73:23|PSA 121:2|ISA 41:10|ISA 49:15|ISA 49:16|JHN 14:18|ROM 8:38|ROM 8:39',
  ADDICTION: 'PSA 34:18|PSA 46:1|PSA 121:2|ISA 40:29|ISA 41:10|LAM 3:22|LAM 3:23|MAT 11:28|2CO 12:9|HEB 4:15',
  INFIDELITY: 'PSA 34:18|PSA 46:1|PSA 73:23|PSA 147:3|ISA 41:10|ISA 54:10|LAM 3:22|LAM 3:23|MAT 11:28|2CO 1:3',
  JOB_LOSS: 'PSA 34:18|PSA 46:1|PSA 121:1|PSA 121:2|ISA 40:29|ISA 41:10|LAM 3:22|LAM 3:23|MAT 6:26|MAT 11:28|PHP 4:19',
};

export const comfortOf = (distress: Distress): number[] =>
  comfort[distress].split('|').map((text) => {
    const place = parsePlace(text);
    if (!place) throw new Error(`Malformed verse of comfort: ${text}`);
    return verseOrdinal(place);
  });

export const careHint: Hint = {
  coordinate: 'Query.searchVerses',
  message:
    'The query may be that of a person in distress, so verses of comfort come first. People who help exist: a doctor, a counsellor, a crisis line or an emergency number.',
};
