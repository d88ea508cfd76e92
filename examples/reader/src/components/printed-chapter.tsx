import type { Block, HeadingKind, Inline, TextMarkKind } from '@lectern/verse-layout';
import { buildLayout } from '@lectern/verse-layout';
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Chapter } from '../api';
import { versePath } from '../build-page-paths';
import { textAttributes } from '../language-tag';
import { tieNotes } from '../tie-notes';
import { NoteMarker, NotePopover } from './note';

const headingClasses: Readonly<Record<HeadingKind, string>> = {
  PSALM_TITLE: 'psalm-title',
  SECTION: 'section-heading',
  ACROSTIC: 'acrostic-heading',
};

const markClasses: Readonly<Record<TextMarkKind, string>> = {
  WORDS_OF_JESUS: 'words-of-jesus',
  ADDED_WORDS: 'added-words',
  DIVINE_NAME: 'divine-name',
};

export type Verse = Chapter['verses'][number];

export interface PrintedVersesProps {
  readonly verses: readonly Verse[];
  readonly translation: Pick<Chapter['translation'], 'identifier' | 'language' | 'direction'>;
  /** The number of the chapter. A verse of another chapter shows its chapter too. */
  readonly chapter: number;
  /** How many notes the page has before these verses. The marks of the notes continue after them. */
  readonly notesBefore?: number;
  isSelected(verse: Verse): boolean;
}

/**
 * Verses with headings, paragraphs and notes, as in a printed Bible. The page scrolls to selected
 * verses. Each verse number is a link to the screen about the verse.
 */
export function PrintedVerses({
  verses,
  translation,
  chapter,
  notesBefore = 0,
  isSelected,
}: PrintedVersesProps): VNode {
  const layout = useMemo(() => buildLayout(verses), [verses]);
  const element = useRef<HTMLDivElement>(null);
  const selected = verses.find(isSelected)?.id;
  useEffect(() => {
    if (selected) element.current?.querySelector('.selected')?.scrollIntoView({ block: 'center' });
  }, [selected]);
  const attributes = textAttributes(translation);
  const noteId = (note: number) => `${translation.identifier}-note-${note}`;
  // The verse that is being rendered. The number of a verse is rendered before its text.
  let index = -1;

  const renderInline = (inline: Inline): VNode => {
    if (inline.kind === 'note')
      return <NoteMarker id={noteId(notesBefore + inline.number)} number={notesBefore + inline.number} />;
    if (inline.kind === 'verse-number') index += 1;
    const verse = verses[index];
    if (inline.kind === 'text' || !verse) {
      const classes = inline.kind === 'text' ? inline.marks.map((mark) => markClasses[mark]) : [];
      if (verse && isSelected(verse)) classes.push('selected');
      return <span class={classes.join(' ') || undefined}>{inline.kind === 'text' ? inline.text : inline.label}</span>;
    }
    const label = verse.chapter === chapter ? `${verse.verse}` : `${verse.chapter}:${verse.verse}`;
    const place = {
      translation: translation.identifier,
      book: verse.bookId,
      chapter: verse.chapter,
      verse: verse.verse,
    };
    return (
      <a
        class="verse-number"
        lang="en"
        href={versePath(place)}
        aria-label={`Verse ${label}: words, topics, references`}
      >
        {label}
      </a>
    );
  };

  const renderContent = (content: readonly Inline[]): VNode[] =>
    tieNotes(content, attributes.lang).map((item) =>
      Array.isArray(item) ? <span class="tied">{item.map(renderInline)}</span> : renderInline(item),
    );

  const renderBlock = (block: Block): VNode => {
    if (block.kind === 'heading') return <h2 class={headingClasses[block.headingKind]}>{block.text}</h2>;
    if (block.kind === 'paragraph') return <p>{renderContent(block.content)}</p>;
    return (
      <p class="stanza">
        {block.lines.map(({ indent, content }) => (
          <span class="line" style={{ '--indent': indent }}>
            {renderContent(content)}
          </span>
        ))}
      </p>
    );
  };

  return (
    <div ref={element} class="printed" {...attributes}>
      {layout.blocks.map(renderBlock)}
      {layout.notes.map((note) => (
        <NotePopover
          id={noteId(notesBefore + note.number)}
          number={notesBefore + note.number}
          note={note}
          translation={translation}
        />
      ))}
    </div>
  );
}
