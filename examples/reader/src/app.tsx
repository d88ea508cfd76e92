import { AuthenticationError, createLecternClient } from '@lectern/client';
import type { VNode } from 'preact';
import { useEffect, useErrorBoundary, useMemo, useRef, useState } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { createApi } from './api';
import { booksPath } from './build-page-paths';
import { createConnectionState } from './offline/connection-state';
import { DownloadsScreen } from './offline/downloads-screen';
import { withOfflinePackages } from './offline/fallback-api';
import { NewVersionNotice } from './offline/new-version-notice';
import { OfflineBanner } from './offline/offline-banner';
import { createOfflineLibrary } from './offline/offline-library';
import { useChangeEvent } from './offline/use-change-event';
import { useConnectionRetries } from './offline/use-connection-retries';
import { type Reader, ReaderContext, useReader } from './reader-context';
import { BooksScreen } from './screens/books-screen';
import { ChapterScreen } from './screens/chapter-screen';
import { WordScreen } from './screens/concordance-word-screen';
import { HomeScreen } from './screens/home-screen';
import { InterlinearScreen } from './screens/interlinear-screen';
import { NotFoundScreen } from './screens/not-found-screen';
import { OriginalScreen } from './screens/original-screen';
import { OpenReferenceScreen } from './screens/reference-screen';
import { ErrorScreen } from './screens/rendering-failure-screen';
import { SearchScreen } from './screens/search-screen';
import { ConnectionForm, SettingsScreen } from './screens/settings-screen';
import { StrongsScreen } from './screens/strongs-screen';
import { TopicScreen } from './screens/topic-screen';
import { TopicsScreen } from './screens/topics-screen';
import { VerseScreen } from './screens/verse-screen';
import { readSettings, type Settings, writeSettings } from './stored-settings';
import { useData } from './use-data';

export function App(): VNode {
  const [settings, setSettings] = useState(readSettings);
  const { url, key, colours } = settings;
  const [library] = useState(createOfflineLibrary);
  const [connection] = useState(createConnectionState);
  const { api, tryConnection } = useMemo(() => {
    const client = { url, ...(key !== '' && { key }) };
    return withOfflinePackages({
      api: createApi(createLecternClient(client)),
      quickApi: createApi(createLecternClient({ ...client, maxRetries: 0, deadlineMs: 8_000 })),
      library,
      connection,
    });
  }, [url, key, library, connection]);
  useChangeEvent(connection.changes);
  useConnectionRetries(connection, tryConnection);
  const translations = useData((signal) => api.translations(signal), [api, connection.isLost()]);
  useEffect(() => writeSettings(settings), [settings]);
  useEffect(() => {
    document.documentElement.style.colorScheme = colours === 'system' ? '' : colours;
  }, [colours]);

  const reader: Reader = {
    api,
    library,
    connection,
    settings,
    changeSettings: (change: Partial<Settings>) => setSettings((before) => ({ ...before, ...change })),
    translations: translations.kind === 'loaded' ? translations.value : [],
  };
  const needsKey = translations.kind === 'failed' && translations.error instanceof AuthenticationError;
  return (
    <ReaderContext.Provider value={reader}>
      <LocationProvider>
        <Header />
        <OfflineBanner />
        <NewVersionNotice />
        <main id="content" tabIndex={-1}>
          <Screens needsKey={needsKey} />
        </main>
      </LocationProvider>
    </ReaderContext.Provider>
  );
}

function Screens({ needsKey }: { needsKey: boolean }): VNode {
  const { path, url } = useLocation();
  const [error, forget] = useErrorBoundary();
  const opened = useRef(url);
  useEffect(() => {
    if (url !== opened.current) focusContent();
    opened.current = url;
  }, [url]);
  if (error !== undefined) return <ErrorScreen error={error} forget={forget} />;
  if (needsKey && path !== '/settings') return <KeyScreen />;
  return (
    <Router>
      <Route path="/" component={HomeScreen} />
      <Route path="/read/:translation" component={BooksScreen} />
      <Route path="/read/:translation/:book/:chapter" component={ChapterScreen} />
      <Route path="/passage" component={OpenReferenceScreen} />
      <Route path="/verse/:translation/:book/:chapter/:verse" component={VerseScreen} />
      <Route path="/interlinear/:translation/:book/:chapter" component={InterlinearScreen} />
      <Route path="/original" component={OriginalScreen} />
      <Route path="/search" component={SearchScreen} />
      <Route path="/word" component={WordScreen} />
      <Route path="/strongs" component={StrongsScreen} />
      <Route path="/topics" component={TopicsScreen} />
      <Route path="/topic" component={TopicScreen} />
      <Route path="/downloads" component={DownloadsScreen} />
      <Route path="/settings" component={SettingsScreen} />
      <Route default component={NotFoundScreen} />
    </Router>
  );
}

/**
 * Focuses the new screen, so that screen readers continue there. A focused list of choices keeps
 * the focus, so that the user can go on to its next option with the arrow keys.
 */
function focusContent(): void {
  if (!document.activeElement?.matches('select')) document.querySelector('main')?.focus({ preventScroll: true });
}

function Header(): VNode {
  const { settings } = useReader();
  return (
    <header>
      <a class="skip-link" href="#content">
        Skip to the content
      </a>
      <nav aria-label="Main">
        <a class="brand" href="/">
          Reader
        </a>
        <a href={settings.lastChapter || booksPath(settings.translation)}>Read</a>
        <a href="/search">Search</a>
        <a href="/word">Words</a>
        <a href="/topics">Topics</a>
        <a href="/downloads">Downloads</a>
        <a href="/settings">Settings</a>
      </nav>
    </header>
  );
}

const KeyScreen = (): VNode => (
  <>
    <h1>Enter your key</h1>
    <p>The reader asks a Lectern service for the texts, and the service asks for an API key. It is asked for once.</p>
    <ConnectionForm />
  </>
);
