import type { Distress } from '@lectern/embeddings';
import { foldWord, withoutTilde } from '@lectern/words';

/**
 * Patterns for clear words of people in distress. They match folded text (without case and accents), without
 * apostrophes and with n for ñ. They also work without the embedding model, which recognizes much more
 * (`createFindDistress`).
 */
const phrases: readonly (readonly [Distress, RegExp])[] = [
  [
    'SUICIDE',
    /suicidal|suicide (thoughts|note|prevention)|(of|about|considering|attempted) suicide$|suicid(a|ar[ms]e)\b|\bkill(ing)? myself|(take|taking|end|ending) my (own )?life|want to die\b|quit\w+ la vida|no quier[oe] (vivir|seguir viviendo)|quiero (morir|matar)me/,
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
