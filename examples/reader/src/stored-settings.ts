/** The settings that the reader stores in the browser. */
export interface Settings {
  /** The address of the service's GraphQL endpoint. */
  readonly url: string;
  /**
   * The API key. Empty before the user enters a key, and if a server in front of the service adds
   * the key.
   */
  readonly key: string;
  readonly colours: 'system' | 'light' | 'dark';
  /** The identifier of the translation that was read last. */
  readonly translation: string;
  /** The path of the chapter that was read last. Empty before a chapter was read. */
  readonly lastChapter: string;
}

const storageName = 'lectern-reader';

export const defaultSettings: Settings = {
  url: import.meta.env['VITE_LECTERN_URL'] ?? 'http://127.0.0.1:4000/graphql',
  key: '',
  colours: 'system',
  translation: 'eng-web',
  lastChapter: '',
};

/**
 * Reads the stored settings. Missing settings, and settings that are not text, have their defaults.
 */
export function readSettings(): Settings {
  const stored = parseObject(readStorage());
  const entries = Object.entries(defaultSettings).map(([name, value]) => {
    const found = stored[name];
    return [name, typeof found === 'string' ? found : value];
  });
  return Object.fromEntries(entries) as Settings;
}

/** Stores the settings. Without storage they last until the page is closed. */
export function writeSettings(settings: Settings): void {
  try {
    localStorage.setItem(storageName, JSON.stringify(settings));
  } catch {
    // If the storage is full or the browser forbids it, the settings last until the page is closed.
  }
}

function readStorage(): string | null {
  try {
    return localStorage.getItem(storageName);
  } catch {
    return null;
  }
}

function parseObject(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
