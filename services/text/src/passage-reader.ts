import type { FoundReference, Place, ReferenceFailure } from '@lectern/canon';
import { findReferences, formatReference, readPassage, referenceFailureMessage } from '@lectern/canon';
import type { Translation } from '@lectern/corpus';
import type { CatalogueError } from '@lectern/errors';
import { errors } from '@lectern/errors';
import type { DailyPlaces } from './daily-passages';
import type { TextStore } from './store';

/** The places that a reference names in an edition. Their texts are not read before a field asks for them. */
export interface Passage {
  readonly edition: Translation;
  /** Tidy, in the edition's language. */
  readonly reference: string;
  readonly places: readonly Place[];
}

/** References against an edition: canon knows how they are written, the store what the edition holds. */
export function createPassageReader(store: TextStore) {
  return {
    /** Throws for a reference that nobody can read, and for one that asks for too much. */
    read(edition: Translation, text: string): Passage {
      const found = readPassage(text, store.shape(edition));
      if (found.kind !== 'resolved') throw failure(found);
      return { edition, reference: found.reference, places: found.verses };
    },

    /** A passage given in standard numbering, where the edition has it. */
    daily(edition: Translation, standard: DailyPlaces): Passage {
      const places = standard
        .map((place) => store.placeIn(edition, 'standard', place))
        .filter((place) => store.has(edition, place));
      const [first, last] = [places[0], places.at(-1)];
      const spans = first && last ? [{ start: first, end: last }] : [];
      return { edition, reference: formatReference(spans, store.shape(edition)), places };
    },

    /** The references that stand in a free text. */
    find(edition: Translation, text: string): readonly FoundReference[] {
      const found = findReferences(text, store.shape(edition));
      if (found.kind === 'text-too-long') throw failure(found);
      return found.references;
    },
  };
}

export type PassageReader = ReturnType<typeof createPassageReader>;

function failure(found: ReferenceFailure): CatalogueError {
  const message = referenceFailureMessage(found);
  return found.kind === 'unintelligible' ? errors.invalidReference(message) : errors.badUserInput(message);
}
