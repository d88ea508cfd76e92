import type { Block, HeadingKind, Inline, TextMarkKind } from '@lectern/verse-layout';
import { buildLayout } from '@lectern/verse-layout';
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Chapter } from '../api';
import { versePath } from '../build-page-paths';
import { languageTag } from '../language-tag';
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

/**
 * A chapter with headings, paragraphs and notes, as in a printed Bible. `selected` is the verse to
 * scroll to and to mark. Each verse number is a link to the screen about the verse.
 */
export function PrintedChapter({ chapter, selected }: { chapter: Chapter; selected: number | null }): VNode {
  const { book, number, translation } = chapter;
  const layout = useMemo(() => buildLayout(chapter.verses), [chapter]);
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (selected !== null) article.current?.querySelector('.selected')?.scrollIntoView({ block: 'center' });
  }, [chapter, selected]);
  const noteId = (note: number) => `${translation.identifier}-note-${note}`;
  // The number of the verse that is being rendered. The number of a verse is rendered before its
  // text.
  let verse = 0;

  const renderInline = (inline: Inline): VNode => {
    if (inline.kind === 'note') return <NoteMarker id={noteId(inline.number)} number={inline.number} />;
    if (inline.kind === 'text') {
      const classes = inline.marks.map((mark) => markClasses[mark]);
      if (verse === selected) classes.push('selected');
      return <span class={classes.join(' ') || undefined}>{inline.text}</span>;
    }
    verse = Number(inline.label);
    const place = { translation: translation.identifier, book: book.bookId, chapter: number, verse };
    return (
      <a class="verse-number" href={versePath(place)} aria-label={`Verse ${verse}: words, topics, references`}>
        {inline.label}
      </a>
    );
  };

  const renderBlock = (block: Block): VNode => {
    if (block.kind === 'heading') return <h2 class={headingClasses[block.headingKind]}>{block.text}</h2>;
    if (block.kind === 'paragraph') return <p>{block.content.map(renderInline)}</p>;
    return (
      <p class="stanza">
        {block.lines.map(({ indent, content }) => (
          <span class="line" style={{ '--indent': indent }}>
            {content.map(renderInline)}
          </span>
        ))}
      </p>
    );
  };

  return (
    <article
      ref={article}
      class="printed"
      lang={languageTag(translation.language)}
      dir={translation.direction === 'RTL' ? 'rtl' : 'ltr'}
    >
      {layout.blocks.map(renderBlock)}
      {layout.notes.map((note) => (
        <NotePopover id={noteId(note.number)} note={note} translation={translation.identifier} />
      ))}
      <p class="attribution">
        {translation.name}. {translation.licence.attribution}
      </p>
    </article>
  );
}
