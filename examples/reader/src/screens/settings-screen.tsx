import { createLecternClient } from '@lectern/client';
import type { TargetedSubmitEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { createApi } from '../api';
import { explainError } from '../explain-error';
import { useReader } from '../reader-context';
import type { Settings } from '../stored-settings';
import { useTitle } from '../use-title';

/** `/settings`: the key, the address of the service, and the colours. */
export function SettingsScreen(): VNode {
  const { settings, changeSettings } = useReader();
  useTitle('Settings');
  return (
    <>
      <h1>Settings</h1>
      <ConnectionForm />
      <fieldset>
        <legend>Colours</legend>
        {(['system', 'light', 'dark'] as const).map((colours) => (
          <label key={colours}>
            <input
              type="radio"
              name="colours"
              checked={settings.colours === colours}
              onChange={() => changeSettings({ colours })}
            />
            {{ system: 'Like the system', light: 'Light', dark: 'Dark' }[colours]}
          </label>
        ))}
      </fieldset>
    </>
  );
}

/** Asks for the key and the address, and stores them if the service accepts them. */
export function ConnectionForm(): VNode {
  const { settings, changeSettings } = useReader();
  const { path, route } = useLocation();
  const [message, setMessage] = useState<{ role: 'alert' | 'status'; text: string } | null>(null);

  async function save(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const { url, key } = fieldsOf(event.currentTarget);
    setMessage({ role: 'status', text: 'Asking the service …' });
    const failure = await tryConnection(url, key);
    if (failure !== null) return setMessage({ role: 'alert', text: failure });
    changeSettings({ url, key });
    setMessage({ role: 'status', text: 'Saved. The service accepts the key.' });
    if (path !== '/settings') route(path, true);
  }

  return (
    <form class="stacked" aria-label="Connection" onSubmit={(event) => void save(event)}>
      <label>
        API key
        <input name="key" type="password" autocomplete="off" spellcheck={false} defaultValue={settings.key} />
      </label>
      <p class="hint">The key stays in the storage of this browser. It is sent to the service only.</p>
      <label>
        Address of the service
        <input name="url" inputMode="url" spellcheck={false} required defaultValue={settings.url} />
      </label>
      <button type="submit">Save</button>
      {message !== null && (
        <p role={message.role} class={message.role === 'alert' ? 'failure' : undefined}>
          {message.text}
        </p>
      )}
    </form>
  );
}

function fieldsOf(form: HTMLFormElement): Pick<Settings, 'url' | 'key'> {
  const fields = new FormData(form);
  const text = (name: string) => String(fields.get(name) ?? '').trim();
  return { url: text('url'), key: text('key') };
}

/** Returns null, or why the service cannot be used with this address and key. */
async function tryConnection(url: string, key: string): Promise<string | null> {
  try {
    const client = createLecternClient({ url, ...(key !== '' && { key }), maxRetries: 0 });
    await createApi(client).translations(new AbortController().signal);
    return null;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    const { title, advice } = explainError(error, url);
    return `${title} ${advice}`;
  }
}
