import type { VNode } from 'preact';
import { nameLanguage } from '../names';
import { useReader } from '../reader-context';

export interface TranslationSelectProps {
  readonly label: string;
  /** The identifier of the selected translation. Empty if no translation is selected. */
  readonly value: string;
  /** The label of the option for no translation. Undefined if a translation must be selected. */
  readonly none?: string;
  onChange(identifier: string): void;
}

export function TranslationSelect({ label, value, none, onChange }: TranslationSelectProps): VNode {
  const { translations } = useReader();
  const isKnown = value === '' || translations.some(({ identifier }) => identifier === value);
  return (
    <label class="wide">
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {!isKnown && <option value={value}>{value}</option>}
        {translations.map(({ identifier, name, language }) => (
          <option key={identifier} value={identifier} lang={nameLanguage(name, language)}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
