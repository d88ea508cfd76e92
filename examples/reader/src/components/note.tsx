import type { NumberedNote } from '@lectern/layout';
import type { VNode } from 'preact';

/** The number of a note in the text. It opens the note. */
export function NoteMarker({ id, number }: { id: string; number: number }): VNode {
  return (
    <button type="button" class="note-marker" popovertarget={id} aria-label={`Note ${number}`}>
      {number}
    </button>
  );
}

/** A note of a chapter. The browser closes it with Escape or a click beside it, and gives the focus back to its marker. */
export function NotePopover({ id, note }: { id: string; note: NumberedNote; translation: string }): VNode {
  return (
    <div id={id} popover="auto" class="note" role="note" aria-label={`Note ${note.number}`}>
      <p>
        <sup>{note.number}</sup> {note.text}
      </p>
      <button type="button" popovertarget={id} popovertargetaction="hide">
        Close
      </button>
    </div>
  );
}
