import { useMonaco } from '@graphiql/react';
import type { Fetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { ApiKeyForm, type ApiKeyState, useApiKey } from './api-key';
import { examplesPlugin } from './examples';

const plugins = [examplesPlugin];
const defaultQuery = EXAMPLES[0]?.examples[0]?.query ?? '';
/** The query of a link, `/explorer?query=...`. The user runs the query; the page does not. */
const linkedQuery = new URLSearchParams(window.location.search).get('query') ?? undefined;

interface ExplorerProps {
  /** Whether the window has space for the examples beside the editor. */
  isWide: boolean;
  storage: Storage | null;
}

export function Explorer({ isWide, storage }: ExplorerProps) {
  const { apiKey, setApiKey, isKept, setKept } = useApiKey(storage);
  const [keyState, setKeyState] = useState<ApiKeyState>({ kind: apiKey === null ? 'missing' : 'checking' });
  const theme = useSystemTheme();
  useQuietEditors();

  const submitKey = (entered: string | null) => {
    setApiKey(entered);
    setKeyState({ kind: entered === null ? 'missing' : 'checking' });
  };
  const fetcher = useMemo(
    () =>
      createFetcher(apiKey, (checked) =>
        // After a response about something else, such as a rate limit, a valid key stays valid.
        setKeyState((state) => (checked.kind === 'unchecked' && state.kind === 'valid' ? state : checked)),
      ),
    [apiKey],
  );

  return (
    <>
      <ApiKeyForm
        initialKey={apiKey}
        state={keyState}
        isKept={storage && isKept}
        onChange={submitKey}
        onKeepChange={setKept}
        onSkipToEditor={focusQueryEditor}
      />
      <div className="workbench">
        <GraphiQL
          fetcher={fetcher}
          // Introspection needs a key. Without a key, the value null prevents that GraphiQL requests the schema.
          schema={apiKey === null ? null : undefined}
          inputValueDeprecation
          plugins={plugins}
          visiblePlugin={isWide ? examplesPlugin : undefined}
          defaultQuery={defaultQuery}
          initialQuery={linkedQuery}
          // With "system", the editors would not follow later changes between light and dark.
          forcedTheme={theme}
          // The editor for headers is off: a key in this editor would be stored in localStorage.
          shouldPersistHeaders={false}
          isHeadersEditorEnabled={false}
        >
          <GraphiQL.Logo>{null}</GraphiQL.Logo>
        </GraphiQL>
      </div>
    </>
  );
}

/** The key goes into the Authorization header only. `onResponse` receives what each response says about it. */
const createFetcher =
  (apiKey: string | null, onResponse: (keyState: ApiKeyState) => void): Fetcher =>
  async ({ query, variables, operationName }) => {
    if (apiKey === null)
      return { errors: [{ message: 'Enter an API key above first: the service rejects requests without a key.' }] };
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', accept: 'application/json' },
      // The key alone identifies the caller; cookies are not sent.
      credentials: 'omit',
      body: JSON.stringify({ query, variables, operationName }),
    }).catch(() => {
      throw new Error('The service could not be reached. Check your connection and try again.');
    });
    const body = await response.json();
    const errors: { message: string }[] | undefined = body?.data === undefined ? body?.errors : undefined;
    if (response.ok || !errors) onResponse({ kind: 'valid' });
    else {
      const message = errors.map((error) => error.message).join(' ');
      onResponse({ kind: response.status === 401 ? 'rejected' : 'unchecked', message });
    }
    return body;
  };

const darkColours = window.matchMedia('(prefers-color-scheme: dark)');

const useSystemTheme = (): 'dark' | 'light' =>
  useSyncExternalStore(
    (onChange) => {
      darkColours.addEventListener('change', onChange);
      return () => darkColours.removeEventListener('change', onChange);
    },
    () => (darkColours.matches ? 'dark' : 'light'),
  );

/** Monaco would mark the quotation marks of every verse as characters that look like others. */
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
