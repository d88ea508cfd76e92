import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api, Translation } from './api';
import type { Settings } from './settings';

/** What every screen may use. */
export interface Reader {
  readonly api: Api;
  readonly settings: Settings;
  changeSettings(change: Partial<Settings>): void;
  /** Empty while they are being loaded. */
  readonly translations: readonly Translation[];
}

export const ReaderContext = createContext<Reader | null>(null);

/** The reader of the page. Throws outside of `App`. */
export function useReader(): Reader {
  const reader = useContext(ReaderContext);
  if (reader === null) throw new Error('useReader needs <App>.');
  return reader;
}
