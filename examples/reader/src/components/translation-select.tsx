import type { VNode } from 'preact';
import { useReader } from '../reader-context';

export interface TranslationSelectProps {
  readonly label: string;
  /** An identifier. */
  readonly value: string;
  /** The name of the choice that stands for no translation. Without it a translation must be chosen. */
  readonly none?: string;
  onChange(identifier: string): void;
}

export function TranslationSelect({ label, value, none, onChange }: TranslationSelectProps): VNode {
  const { translations } = useReader();
  const isKnown = value === '' || translations.some(({ identifier }) => identifier === value);
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {!isKnown && <option value={value}>{value}</option>}
        {translations.map(({ identifier, name }) => (
          <option key={identifier} value={identifier}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
