import type { GraphiQLPlugin } from '@graphiql/react';
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';

/** A GraphiQL plugin that lists the tested examples of the subgraphs. */
export const examplesPlugin: GraphiQLPlugin = { title: 'Examples', icon: ExamplesIcon, content: ExamplesPanel };

type Example = (typeof EXAMPLES)[number]['examples'][number];

const exampleQueries: ReadonlySet<string> = new Set(
  EXAMPLES.flatMap(({ examples }) => examples.map(({ query }) => query)),
);

function ExamplesPanel() {
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  const { addTab, setOperationName } = useGraphiQLActions();

  const open = ({ name, query }: Example) => {
    if (!queryEditor) return;
    const current = queryEditor.getValue();
    // An unchanged example is replaced; edited text stays in its tab.
    if (current.trim() !== '' && !exampleQueries.has(current)) addTab();
    queryEditor.setValue(query);
    // GraphiQL derives the operation name after a delay, too late for a run at once.
    setOperationName(name);
    variableEditor?.setValue('');
    // Focus the editor's frame: in the editor itself, Tab inserts a tab.
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
                <p>{example.description}</p>
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
