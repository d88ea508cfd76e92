import type { NumberedNote } from '@lectern/verse-layout';
import type { VNode } from 'preact';
import type { Chapter } from '../api';
import { passagePath } from '../build-page-paths';
import { nameLanguage } from '../names';
import { noteMark } from '../tie-notes';
import { linkTextParts } from './link-text-parts';

/** The button in the text with the mark of a note. It opens the note. */
export function NoteMarker({ id, number }: { id: string; number: number }): VNode {
  const mark = noteMark(number);
  return (
    <button type="button" class="note-marker" lang="en" popovertarget={id} aria-label={`Note ${mark}`}>
      {mark}
    </button>
  );
}

export interface NotePopoverProps {
  readonly id: string;
  /** The number of the note on the page, from 1. */
  readonly number: number;
  readonly note: NumberedNote;
  /** The translation of the note, in which its references open. */
  readonly translation: Pick<Chapter['translation'], 'identifier' | 'language' | 'direction'>;
}

/**
 * A note of a chapter. The browser closes the note on Escape and on a click outside. After Escape,
 * it focuses the marker of the note again.
 */
export function NotePopover({ id, number, note, translation }: NotePopoverProps): VNode {
  const { text, references } = note;
  const mark = noteMark(number);
  return (
    <div id={id} popover="auto" class="note" role="note" lang="en" dir="ltr" aria-label={`Note ${mark}`}>
      {/* `bdi`: the mark does not count for the direction of the note. */}
      <p lang={nameLanguage(text, translation.language)} dir="auto">
        <sup>
          <bdi>{mark}</bdi>
        </sup>{' '}
        {linkTextParts(text, references, ({ reference }) => passagePath(translation.identifier, reference))}
      </p>
      <button type="button" popovertarget={id} popovertargetaction="hide">
        Close
      </button>
    </div>
  );
}
