import { type GraphiQLPlugin, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { type KeyboardEvent, useState } from 'react';

export const examplesPlugin: GraphiQLPlugin = { title: 'Examples', icon: ExamplesIcon, content: ExamplesPanel };

const allExamples = EXAMPLES.flatMap(({ examples }) => examples);
const exampleQueries: ReadonlySet<string> = new Set(allExamples.map(({ query }) => query));

function ExamplesPanel() {
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  const { addTab, setOperationName } = useGraphiQLActions();
  // The list has one tab stop, so that Tab soon reaches the editor. Arrow keys move in the list.
  const [tabStop, setTabStop] = useState(allExamples[0]?.name);

  const open = ({ name, query }: (typeof allExamples)[number]) => {
    if (!queryEditor) return;
    const current = queryEditor.getValue();
    // If the user has edited the text of the editor, the example opens in a new tab, so that this text is kept.
    if (current.trim() !== '' && !exampleQueries.has(current)) addTab();
    queryEditor.setValue(query);
    // GraphiQL sets the name after a delay, too late if the user runs the example immediately.
    setOperationName(name);
    variableEditor?.setValue('');
    // The frame around the editor gets the focus: inside, the Tab key would insert a tab.
    queryEditor.getContainerDomNode().focus();
  };

  return (
    <section aria-label="Examples" className="examples">
      <h2>Examples</h2>
      <div role="toolbar" aria-label="Examples" aria-orientation="vertical" onKeyDown={moveFocus}>
        {EXAMPLES.map(({ service, examples }) => (
          <div key={service}>
            <h3>{service}</h3>
            <ul>
              {examples.map((example) => (
                <li key={example.name}>
                  <button
                    type="button"
                    tabIndex={example.name === tabStop ? 0 : -1}
                    onFocus={() => setTabStop(example.name)}
                    onClick={() => open(example)}
                  >
                    {example.title}
                  </button>
                  <p>{example.description}</p>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}

/** Focuses the next or previous example (arrow keys), or the first or last (Home, End). */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const current = buttons.findIndex((button) => button === document.activeElement);
  const target = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: buttons.length - 1 }[event.key];
  const button = target === undefined ? undefined : buttons[target];
  if (!button) return;
  event.preventDefault();
  button.focus();
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
