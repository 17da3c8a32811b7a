import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { BASE } from './location.ts';
import type { Role } from './session.ts';
import type { IconName } from './ui/index.ts';

/** Props of every view. */
export interface ViewProps {
  /** The path below that of the view, without a slash at its beginning; empty at the view itself. */
  readonly rest: string;
}

/** A view of the console: a place in the navigation, and a chunk that is loaded when it is opened. */
export interface View {
  /** Below the console's path, such as `/conversations`; the view gets the paths below it as well. */
  readonly path: string;
  readonly name: string;
  readonly group: 'People' | 'Records' | 'Agent' | 'Platform';
  readonly icon: IconName;
  /** The least role that may see it. */
  readonly role: Role;
  /** Whether it is shown only where conversations can be handed to people. */
  readonly needsDesk?: boolean;
  readonly Component: ReturnType<typeof lazy<ComponentType<ViewProps>>>;
}

/** All views, in the order of the navigation. The first one that a person may see is shown at `/console/`. */
export const VIEWS: readonly View[] = [
  {
    ...{ path: '/desk', name: 'Desk', group: 'People', icon: 'desk', role: 'agent' },
    needsDesk: true,
    Component: lazy(() => import('./views/desk/desk-view.tsx').then(({ DeskView }) => DeskView)),
  },
  {
    ...{ path: '/live', name: 'Live', group: 'People', icon: 'live', role: 'supervisor' },
    Component: lazy(() => import('./views/live/live-view.tsx').then(({ LiveView }) => LiveView)),
  },
  {
    ...{ path: '/service-levels', name: 'Service levels', group: 'People', icon: 'chart' },
    ...{ role: 'supervisor', needsDesk: true },
    Component: lazy(() =>
      import('./views/service-levels/service-levels-view.tsx').then(
        ({ ServiceLevelsView }) => ServiceLevelsView,
      ),
    ),
  },
  {
    ...{ path: '/replies', name: 'Canned replies', group: 'People', icon: 'reply', role: 'supervisor' },
    needsDesk: true,
    Component: lazy(() => import('./views/replies/replies-view.tsx').then(({ RepliesView }) => RepliesView)),
  },
  {
    ...{ path: '/people', name: 'People and roles', group: 'People', icon: 'person', role: 'admin' },
    needsDesk: true,
    Component: lazy(() => import('./views/people/people-view.tsx').then(({ PeopleView }) => PeopleView)),
  },
  {
    ...{ path: '/overview', name: 'Overview', group: 'Records', icon: 'chart', role: 'supervisor' },
    Component: lazy(() =>
      import('./views/overview/overview-view.tsx').then(({ OverviewView }) => OverviewView),
    ),
  },
  {
    ...{ path: '/conversations', name: 'Conversations', group: 'Records', icon: 'list', role: 'supervisor' },
    Component: lazy(() =>
      import('./views/conversations/conversations-view.tsx').then(
        ({ ConversationsView }) => ConversationsView,
      ),
    ),
  },
  {
    ...{ path: '/knowledge', name: 'Knowledge', group: 'Agent', icon: 'book', role: 'supervisor' },
    Component: lazy(() =>
      import('./views/knowledge/knowledge-view.tsx').then(({ KnowledgeView }) => KnowledgeView),
    ),
  },
  {
    ...{ path: '/install', name: 'Install', group: 'Agent', icon: 'install', role: 'supervisor' },
    Component: lazy(() => import('./views/install/install-view.tsx').then(({ InstallView }) => InstallView)),
  },
  {
    ...{
      path: '/alerts',
      name: 'Alerts and webhooks',
      group: 'Platform',
      icon: 'bell',
      role: 'supervisor',
    },
    Component: lazy(() => import('./views/alerts/alerts-view.tsx').then(({ AlertsView }) => AlertsView)),
  },
  {
    ...{ path: '/try', name: 'Numbers, events, voice', group: 'Platform', icon: 'phone', role: 'admin' },
    Component: lazy(() => import('./views/try/try-view.tsx').then(({ TryView }) => TryView)),
  },
  {
    ...{ path: '/operations', name: 'Operations', group: 'Platform', icon: 'server', role: 'admin' },
    Component: lazy(() =>
      import('./views/operations/operations-view.tsx').then(({ OperationsView }) => OperationsView),
    ),
  },
  {
    ...{ path: '/audit', name: 'Audit log', group: 'Platform', icon: 'list', role: 'admin' },
    needsDesk: true,
    Component: lazy(() => import('./views/audit/audit-view.tsx').then(({ AuditView }) => AuditView)),
  },
];

/** Begins to load the code of the view at a path, in parallel with the check of who is signed in. */
export function preloadView(path: string): void {
  const view = VIEWS.find((each) => path.startsWith(`${BASE}${each.path}`));
  // A failed load is reported when the view is shown.
  view?.Component.preload().catch(() => undefined);
}
