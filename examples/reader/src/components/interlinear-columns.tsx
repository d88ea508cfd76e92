import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Column } from '../api';
import { OriginalDialog } from './original-dialog';
import { directionOf, SpelledWord } from './original-text';
import { useTextAttributes } from './translation-text';

export interface InterlinearColumnsProps {
  readonly translation: string;
  readonly columns: readonly Column[];
  /** Whether the columns are in the order of the original, and therefore in its direction. */
  readonly isOriginalOrder: boolean;
}

/** A verse word by word: each original word above what the translation writes for it. */
export function InterlinearColumns({ translation, columns, isOriginalOrder }: InterlinearColumnsProps): VNode {
  const [opened, setOpened] = useState<Column | null>(null);
  const attributes = useTextAttributes(translation);
  const original = columns.flatMap(({ originalWords }) => originalWords)[0]?.language ?? 'grc';
  const renderingOf = ({ rendering }: Column): VNode => <b {...attributes}>{rendering}</b>;
  return (
    <>
      <ol class="interlinear" dir={isOriginalOrder ? directionOf(original) : attributes.dir}>
        {columns.map((column, index) => (
          <li key={column.originalWords[0]?.id ?? index}>
            {!isOriginalOrder && renderingOf(column)}
            {column.originalWords.length > 0 && (
              <button type="button" aria-haspopup="dialog" onClick={() => setOpened(column)}>
                {column.originalWords.map((word) => (
                  <span key={word.id}>
                    <SpelledWord word={word} />
                  </span>
                ))}
              </button>
            )}
            {isOriginalOrder && renderingOf(column)}
            {column.originalWords.map(({ id, gloss, parsing }) => (
              <span key={id} class="hint" dir="ltr">
                {gloss !== null && `“${gloss}”, `}
                {parsing.description}
              </span>
            ))}
          </li>
        ))}
      </ol>
      {opened && <OriginalDialog column={opened} translation={translation} onClose={() => setOpened(null)} />}
    </>
  );
}
