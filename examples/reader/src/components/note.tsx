import type { NumberedNote } from '@lectern/verse-layout';
import type { VNode } from 'preact';
import { passagePath } from '../build-page-paths';
import { linkTextParts } from './link-text-parts';

/** The button in the text with the number of a note. It opens the note. */
export function NoteMarker({ id, number }: { id: string; number: number }): VNode {
  return (
    <button type="button" class="note-marker" popovertarget={id} aria-label={`Note ${number}`}>
      {number}
    </button>
  );
}

export interface NotePopoverProps {
  readonly id: string;
  readonly note: NumberedNote;
  /** The identifier of the translation in which the references of the note open. */
  readonly translation: string;
}

/**
 * A note of a chapter. The browser closes the note on Escape and on a click outside. After Escape,
 * it focuses the marker of the note again.
 */
export function NotePopover({ id, note, translation }: NotePopoverProps): VNode {
  return (
    <div id={id} popover="auto" class="note" role="note" aria-label={`Note ${note.number}`}>
      <p>
        <sup>{note.number}</sup> {linkReferences(note, translation)}
      </p>
      <button type="button" popovertarget={id} popovertargetaction="hide">
        Close
      </button>
    </div>
  );
}

const linkReferences = ({ text, references }: NumberedNote, translation: string) =>
  linkTextParts(text, references, ({ reference }) => passagePath(translation, reference));
