import { useMonaco } from '@graphiql/react';
import { GraphiQL } from 'graphiql';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { ApiKeyState } from './api-key-form';
import { ApiKeyForm } from './api-key-form';
import type { ApiKeyStorage } from './api-key-storage';
import { examplesPlugin } from './examples';
import { createGraphqlFetcher } from './fetcher';

const endpoint = '/graphql';
const plugins = [examplesPlugin];
const defaultQuery = EXAMPLES[0]?.examples[0]?.query ?? '';
/**
 * The query of a link to the explorer, `/explorer?query=...`. The user runs the query; the page
 * does not.
 */
const linkedQuery = new URLSearchParams(window.location.search).get('query') ?? undefined;

export interface ExplorerProps {
  /** Whether the window has space for the examples beside the editor. */
  isWide: boolean;
  storage: ApiKeyStorage;
}

/** GraphiQL with a form for the API key and a panel of examples. */
export function Explorer({ isWide, storage }: ExplorerProps) {
  const { apiKey, changeKey, isKept, changeKept } = useApiKey(storage);
  const [keyState, setKeyState] = useState<ApiKeyState>({ kind: apiKey === null ? 'missing' : 'checking' });
  const theme = useSystemTheme();
  useQuietEditors();

  const submitKey = useCallback(
    (entered: string | null) => {
      changeKey(entered);
      setKeyState({ kind: entered === null ? 'missing' : 'checking' });
    },
    [changeKey],
  );
  const fetcher = useMemo(
    () =>
      createGraphqlFetcher({
        endpoint,
        apiKey,
        fetch: window.fetch.bind(window),
        // After a response that does not concern the key, such as a rate limit, a valid key stays
        // valid.
        onResponse: (response) =>
          setKeyState((state) => (response.kind === 'unchecked' && state.kind === 'valid' ? state : response)),
      }),
    [apiKey],
  );

  return (
    <>
      <ApiKeyForm
        initialKey={apiKey}
        state={keyState}
        isKept={storage.isAvailable ? isKept : null}
        onChange={submitKey}
        onKeepChange={changeKept}
        onSkipToEditor={focusQueryEditor}
      />
      <div className="workbench">
        <GraphiQL
          fetcher={fetcher}
          // Introspection needs a key. With null, GraphiQL does not request the schema.
          schema={apiKey === null ? null : undefined}
          inputValueDeprecation
          plugins={plugins}
          visiblePlugin={isWide ? examplesPlugin : undefined}
          defaultQuery={defaultQuery}
          initialQuery={linkedQuery}
          // With "system", the editors would keep the colours of the moment when the page was
          // opened.
          forcedTheme={theme}
          // GraphiQL stores its tabs in localStorage. If it had an editor for headers, it would
          // store the key there too.
          shouldPersistHeaders={false}
          isHeadersEditorEnabled={false}
        >
          <GraphiQL.Logo>{null}</GraphiQL.Logo>
        </GraphiQL>
      </div>
    </>
  );
}

/** The key in use, and whether the tab keeps it. */
function useApiKey(storage: ApiKeyStorage) {
  const [apiKey, setApiKey] = useState<string | null>(storage.read);
  const [isKept, setKept] = useState(storage.isOn);
  useEffect(() => storage.write(apiKey, isKept), [storage, apiKey, isKept]);
  return { apiKey, changeKey: setApiKey, isKept, changeKept: setKept };
}

const darkColours = window.matchMedia('(prefers-color-scheme: dark)');

/** The colours that the system prefers now. */
const useSystemTheme = (): 'dark' | 'light' =>
  useSyncExternalStore(
    (onChange) => {
      darkColours.addEventListener('change', onChange);
      return () => darkColours.removeEventListener('change', onChange);
    },
    () => (darkColours.matches ? 'dark' : 'light'),
  );

/**
 * Switches off Monaco's warning about characters that look like others. The warning is meant for
 * program code, and would mark the quotation marks of every verse.
 */
function useQuietEditors() {
  const monaco = useMonaco((state) => state.monaco);
  useEffect(() => {
    if (!monaco) return;
    const options = { unicodeHighlight: { ambiguousCharacters: false } };
    for (const editor of monaco.editor.getEditors()) editor.updateOptions(options);
    const listener = monaco.editor.onDidCreateEditor((editor) => editor.updateOptions(options));
    return () => listener.dispose();
  }, [monaco]);
}

/** Focuses the frame around the editor: inside the editor, the Tab key would insert a tab. */
function focusQueryEditor() {
  document.querySelector<HTMLElement>('.graphiql-query-editor .graphiql-editor')?.focus();
}
