import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api, Translation } from './api';
import type { ConnectionState } from './offline/connection-state';
import type { OfflineLibrary } from './offline/offline-library';
import type { Settings } from './stored-settings';

/** The state and the functions that every screen may use. */
export interface Reader {
  /**
   * The requests to the service. Some of them, such as `chapter`, read from the stored packages
   * while the service cannot be reached.
   */
  readonly api: Api;
  readonly library: OfflineLibrary;
  readonly connection: ConnectionState;
  readonly settings: Settings;
  changeSettings(change: Partial<Settings>): void;
  /** The translations that can be read. Empty until they have been loaded. */
  readonly translations: readonly Translation[];
}

export const ReaderContext = createContext<Reader | null>(null);

/**
 * Returns the state and the functions that `App` provides. Throws in a component outside of `App`.
 */
export function useReader(): Reader {
  const reader = useContext(ReaderContext);
  if (reader === null) throw new Error('useReader needs <App>.');
  return reader;
}
