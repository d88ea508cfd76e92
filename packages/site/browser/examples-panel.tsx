import type { GraphiQLPlugin } from '@graphiql/react';
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';

/** The tested examples of the subgraphs, as a panel beside GraphiQL's own. */
export const examplesPanel: GraphiQLPlugin = { title: 'Examples', icon: ExamplesIcon, content: Examples };

type Example = (typeof EXAMPLES)[number]['examples'][number];

const queries: ReadonlySet<string> = new Set(EXAMPLES.flatMap(({ examples }) => examples.map(({ query }) => query)));

function Examples() {
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  const { addTab, setOperationName } = useGraphiQLActions();

  const open = ({ name, query }: Example) => {
    if (!queryEditor) return;
    const held = queryEditor.getValue();
    // What somebody has typed is not written over; an example that is as it was gives way.
    if (held.trim() !== '' && !queries.has(held)) addTab();
    queryEditor.setValue(query);
    // GraphiQL reads it from the text a moment later, which is too late for who runs it at once.
    setOperationName(name);
    variableEditor?.setValue('');
    // The frame of the editor, not the editor: there Tab would type instead of going on.
    queryEditor.getContainerDomNode().focus();
  };

  return (
    <section aria-label="Examples" className="examples">
      <h2>Examples</h2>
      {EXAMPLES.map(({ service, examples }) => (
        <div key={service}>
          <h3>{service}</h3>
          <ul>
            {examples.map((example) => (
              <li key={example.name}>
                <button type="button" onClick={() => open(example)}>
                  {example.title}
                </button>
                <p>{example.about}</p>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function ExamplesIcon() {
  return (
    <svg
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M3 5h.01M3 10h.01M3 15h.01M7 5h10M7 10h10M7 15h10" />
    </svg>
  );
}
