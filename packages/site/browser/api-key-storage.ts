const keyItem = 'lectern:apiKey';
const switchItem = 'lectern:keepApiKey';

/**
 * Keeps the API key in the tab's session storage: it survives a reload and a visit to other pages,
 * and ends with the tab. Without a storage (null) nothing is kept.
 */
export function createApiKeyStorage(storage: Storage | null) {
  return {
    isAvailable: storage !== null,
    /**
     * Whether the user wants the key to be kept. True until the user unchecks this option in this
     * tab. False without a storage.
     */
    isOn: (): boolean => storage !== null && storage.getItem(switchItem) !== 'off',
    read: (): string | null => storage?.getItem(keyItem) ?? null,
    /**
     * Keeps the key, or removes it if `isOn` is false or there is no key. Remembers the choice for
     * this tab.
     */
    write(apiKey: string | null, isOn: boolean): void {
      if (apiKey !== null && isOn) storage?.setItem(keyItem, apiKey);
      else storage?.removeItem(keyItem);
      if (isOn) storage?.removeItem(switchItem);
      else storage?.setItem(switchItem, 'off');
    },
  };
}

export type ApiKeyStorage = ReturnType<typeof createApiKeyStorage>;

/** Returns null if the browser's settings forbid storage: reading `sessionStorage` then throws. */
export function openSessionStorage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}
