import { GraphiQL } from 'graphiql';
import { useCallback, useMemo, useState } from 'react';
import type { KeyStanding } from './api-key-form';
import { KeyBar } from './api-key-form';
import { examplesPanel } from './examples-panel';
import { createFetcher } from './graphql-fetcher';

const endpoint = '/graphql';
const plugins = [examplesPanel];
const firstQuery = EXAMPLES[0]?.examples[0]?.query ?? '';

export interface ExplorerParts {
  /** Whether there is room for the examples beside the editor from the start. */
  wide: boolean;
}

export function Explorer({ wide }: ExplorerParts) {
  const [apiKey, setApiKey] = useState<string | null>(null);
  const [standing, setStanding] = useState<KeyStanding>({ is: 'missing' });

  const enter = useCallback((entered: string | null) => {
    setApiKey(entered);
    setStanding({ is: entered === null ? 'missing' : 'being checked' });
  }, []);
  const fetcher = useMemo(
    () =>
      createFetcher({
        endpoint,
        apiKey,
        fetch: window.fetch.bind(window),
        onAnswer: (refusal) => setStanding(refusal === null ? { is: 'good' } : { is: 'refused', because: refusal }),
      }),
    [apiKey],
  );

  return (
    <>
      <KeyBar standing={standing} onKey={enter} />
      <div className="workbench">
        <GraphiQL
          fetcher={fetcher}
          // Without a key there is no schema to ask for; null keeps GraphiQL from trying.
          schema={apiKey === null ? null : undefined}
          inputValueDeprecation
          plugins={plugins}
          visiblePlugin={wide ? examplesPanel : undefined}
          defaultQuery={firstQuery}
          // Light or dark as the rest of the page is.
          forcedTheme="system"
          // GraphiQL keeps tabs in the browser's storage. Headers would be kept with them, so there are none to edit.
          shouldPersistHeaders={false}
          isHeadersEditorEnabled={false}
        >
          <GraphiQL.Logo>{null}</GraphiQL.Logo>
        </GraphiQL>
      </div>
    </>
  );
}
