import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { keepFocus } from './keep-focus.ts';
import { BASE, hrefOf } from './location.ts';
import { Navigation } from './navigation.tsx';
import { announcement, hasDesk, hasRole, me, startProblem } from './session.ts';
import { SHORTCUTS } from './shortcuts.ts';
import { SignIn } from './sign-in.tsx';
import {
  EmptyState,
  ErrorState,
  type Find,
  LoadingState,
  Page,
  Palette,
  ShortcutsDialog,
  setTheme,
  Toasts,
  useCommands,
} from './ui/index.ts';
import { VIEWS, type View } from './views.ts';

/** The console, or its sign-in page. */
export function App(): VNode {
  const person = me.value;
  if (person === null) return <SignIn />;
  if (person === undefined)
    return startProblem.value === null ? <LoadingState /> : <ErrorState error={startProblem.value} />;
  return (
    <LocationProvider scope={BASE}>
      <Console key={person.id} />
    </LocationProvider>
  );
}

function Console(): VNode {
  const [open, setOpen] = useState<'palette' | 'shortcuts' | null>(null);
  const close = (): void => setOpen(null);
  const [isLoading, setLoading] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const frame = useRef<HTMLDivElement>(null);
  const main = useRef<HTMLElement>(null);
  const views = VIEWS.filter(isOpen);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      const isHelp = event.key === '?' && !isTyped(event);
      if (!isPalette && !isHelp) return;
      event.preventDefault();
      setOpen((before) => (isHelp ? 'shortcuts' : before === 'palette' ? null : 'palette'));
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  useEffect(() => (frame.current === null ? undefined : keepFocus(frame.current)), []);
  useCommonCommands(views, () => setOpen('shortcuts'));
  const { route } = useLocation();
  const find: Find = async (text, signal) => {
    const { findConversations } = await import('./views/desk/find-conversations.ts');
    return findConversations(text, route, signal);
  };
  useEffect(() => {
    // A person who is available is offered conversations in every view of the console.
    if (me.value?.presence === 'available')
      void import('./views/desk/desk-model.ts').then(({ startDesk }) => startDesk());
  }, []);
  return (
    <div class="console" ref={frame} data-loading={isLoading}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Navigation views={views} onOpenPalette={() => setOpen('palette')} />
      <main ref={main} id="main" tabIndex={-1}>
        {problem !== null && <ErrorState error={problem} onRetry={() => location.reload()} />}
        <ErrorBoundary onError={setProblem}>
          <Router
            onLoadStart={() => setLoading(true)}
            onLoadEnd={() => setLoading(false)}
            onRouteChange={() => {
              setProblem(null);
              main.current?.focus();
            }}
          >
            {views.map(({ path, Component }) => (
              <Route key={path} path={`${BASE}${path}/:rest*`} component={toRoute(Component)} />
            ))}
            <Route default component={Elsewhere} />
          </Router>
        </ErrorBoundary>
      </main>
      {open === 'palette' && (
        <Palette find={hasDesk.value || hasRole('supervisor') ? find : null} onClose={close} />
      )}
      {open === 'shortcuts' && <ShortcutsDialog shortcuts={SHORTCUTS} onClose={close} />}
      <Toasts />
      <p class="unseen" aria-live="polite">
        {announcement.value}
      </p>
    </div>
  );
}

/** Whether a key writes a character where the focus is. */
function isTyped({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}

const routes = new Map<View['Component'], View['Component']>();

/** The component of a view as a route's: the same one each time, so that the view stays when its path changes. */
function toRoute(Component: View['Component']): (props: { params: { rest?: string } }) => VNode {
  const known = routes.get(Component);
  const made =
    known ?? (({ params }: never) => <Component rest={(params as { rest?: string }).rest ?? ''} />);
  routes.set(Component, made as View['Component']);
  return made as never;
}

/** The console's root leads to the first view; an unknown path shows an error. */
function Elsewhere(): VNode {
  const { path, route } = useLocation();
  const first = VIEWS.find(isOpen);
  const isHome = path === BASE;
  useEffect(() => {
    if (isHome && first !== undefined) route(hrefOf(first.path) + location.hash, true);
  }, [isHome, first, route]);
  if (isHome && first !== undefined) return <LoadingState />;
  if (isHome)
    return (
      <Page title="Nothing to do here">
        <EmptyState title="Conversations are not handed to people here." icon="desk">
          Agents work at the desk, but no project of this account uses it. Ask an admin to set it up.
        </EmptyState>
      </Page>
    );
  return (
    <Page title="Not found">
      <EmptyState title="This page doesn’t exist, or you need another role to see it.">
        {first !== undefined && <a href={hrefOf(first.path)}>Go to {first.name}</a>}
      </EmptyState>
    </Page>
  );
}

/** Whether the person may see a view, and this installation supports it. */
function isOpen({ role, needsDesk }: View): boolean {
  return hasRole(role) && (needsDesk !== true || hasDesk.value);
}

function useCommonCommands(views: readonly View[], showShortcuts: () => void): void {
  const { route } = useLocation();
  useCommands('console', [
    ...views.map(({ path, name }) => ({ group: 'Go to', name, run: () => route(hrefOf(path)) })),
    { group: 'Help', name: 'Keyboard shortcuts', run: showShortcuts },
    { group: 'Colours', name: 'Light', run: () => setTheme('light') },
    { group: 'Colours', name: 'Dark', run: () => setTheme('dark') },
    { group: 'Colours', name: 'Use system setting', run: () => setTheme('system') },
  ]);
}
