import { GraphiQL } from 'graphiql';
import { useCallback, useMemo, useState } from 'react';
import type { ApiKeyState } from './api-key-form';
import { ApiKeyForm } from './api-key-form';
import { examplesPlugin } from './examples-plugin';
import { createGraphqlFetcher } from './graphql-fetcher';

const endpoint = '/graphql';
const plugins = [examplesPlugin];
const defaultQuery = EXAMPLES[0]?.examples[0]?.query ?? '';

export interface ExplorerProps {
  /** Whether the window has space for the examples beside the editor. */
  isWide: boolean;
}

/** GraphiQL with a form for the API key and a panel of examples. */
export function Explorer({ isWide }: ExplorerProps) {
  const [apiKey, setApiKey] = useState<string | null>(null);
  const [keyState, setKeyState] = useState<ApiKeyState>({ kind: 'missing' });

  const changeKey = useCallback((entered: string | null) => {
    setApiKey(entered);
    setKeyState({ kind: entered === null ? 'missing' : 'checking' });
  }, []);
  const fetcher = useMemo(
    () =>
      createGraphqlFetcher({
        endpoint,
        apiKey,
        fetch: window.fetch.bind(window),
        onResponse: (rejection) =>
          setKeyState(rejection === null ? { kind: 'valid' } : { kind: 'rejected', message: rejection }),
      }),
    [apiKey],
  );

  return (
    <>
      <ApiKeyForm state={keyState} onChange={changeKey} />
      <div className="workbench">
        <GraphiQL
          fetcher={fetcher}
          // Introspection needs a key; null keeps GraphiQL from requesting the schema without one.
          schema={apiKey === null ? null : undefined}
          inputValueDeprecation
          plugins={plugins}
          visiblePlugin={isWide ? examplesPlugin : undefined}
          defaultQuery={defaultQuery}
          forcedTheme="system"
          // GraphiQL stores tabs in localStorage.
          // An editor for headers would store the key with them.
          shouldPersistHeaders={false}
          isHeadersEditorEnabled={false}
        >
          <GraphiQL.Logo>{null}</GraphiQL.Logo>
        </GraphiQL>
      </div>
    </>
  );
}
