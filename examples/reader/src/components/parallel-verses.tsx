import type { VNode } from 'preact';
import type { Chapter } from '../api';
import type { ParallelCell, ParallelPage } from '../parallel';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { AsyncData } from './async-data';
import { PrintedVerses, type Verse } from './printed-chapter';
import { Name, useTranslation } from './translation-text';

export interface ParallelVersesProps {
  readonly chapter: Chapter;
  /** The identifier of the translation beside the chapter. */
  readonly beside: string;
  /** The first and the last verse of the chapter to mark. */
  readonly selected: readonly [first: number, last: number];
}

/** A chapter in two translations, in rows: each verse is beside the verse with the same text. */
export function ParallelVerses({ chapter, beside, selected }: ParallelVersesProps): VNode {
  const { api } = useReader();
  const { translation, book, number } = chapter;
  const other = useTranslation(beside) ?? { identifier: beside, name: beside, language: '', direction: 'LTR' };
  const place = { translation: translation.identifier, beside, book: book.bookId, chapter: number };
  const data = useData((signal) => api.parallel(place, signal), [api, ...Object.values(place)]);
  const isSelected = ({ verse }: Verse) => verse >= selected[0] && verse <= selected[1];
  return (
    <AsyncData data={data}>
      {({ rows, isByNumber }) =>
        rows.every(({ cells }) => !cells[1]?.verses.length && !cells[1]?.elsewhere) ? (
          <>
            <p class="hint">
              <Name text={other.name} language={other.language} /> does not have this chapter.
            </p>
            <PrintedVerses verses={chapter.verses} translation={translation} chapter={number} isSelected={isSelected} />
          </>
        ) : (
          <>
            {isByNumber && (
              <p class="hint">
                Verses with the same number are beside each other. Some translations number them differently. With the
                service, verses with the same text are beside each other.
              </p>
            )}
            <div class="parallel">
              {[translation, other].map(({ name, language }) => (
                <h2>
                  <Name text={name} language={language} />
                </h2>
              ))}
              {rows.map((row, index) =>
                row.cells.map((cell, column) => (
                  <Cell
                    key={`${index} ${column}`}
                    cell={cell}
                    translation={column === 0 ? translation : other}
                    chapter={number}
                    notesBefore={notesBefore(rows, index, column)}
                    isSelected={row.cells[0]?.verses.some(isSelected) ?? false}
                  />
                )),
              )}
            </div>
          </>
        )
      }
    </AsyncData>
  );
}

/** Returns the number of notes of a column above a row. */
const notesBefore = (rows: ParallelPage['rows'], row: number, column: number): number =>
  rows.slice(0, row).flatMap(({ cells }) => cells[column]?.verses.flatMap(({ notes }) => notes) ?? []).length;

interface CellProps extends Pick<Parameters<typeof PrintedVerses>[0], 'translation' | 'chapter' | 'notesBefore'> {
  readonly cell: ParallelCell;
  readonly isSelected: boolean;
}

function Cell({ cell: { verses, elsewhere }, isSelected, ...props }: CellProps): VNode {
  if (verses.length > 0) return <PrintedVerses verses={verses} isSelected={() => isSelected} {...props} />;
  return (
    <p class="hint">
      {elsewhere === null ? (
        'Not in this translation.'
      ) : (
        <>
          In <Name text={elsewhere} language={props.translation.language} />.
        </>
      )}
    </p>
  );
}
