import type { NumberedNote } from '@lectern/layout';
import type { VNode } from 'preact';
import { passagePath } from '../paths';
import { linkParts } from './link-parts';

/** The number of a note in the text. It opens the note. */
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
  /** The translation that references in the note lead to. */
  readonly translation: string;
}

/** A note of a chapter. The browser closes it with Escape or a click beside it, and gives the focus back to its marker. */
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
  linkParts(text, references, ({ reference }) => passagePath(translation, reference));
