import { catalogue } from '../kit/texts.ts';
import type { View } from './view.ts';

const titles = catalogue({
  overview: ['Overview', 'Übersicht'],
  book: ['Book', 'Bestand'],
  subject: ['Subject', 'Person'],
  inbox: ['Inbox', 'Eingang'],
  imports: ['Imports', 'Importe'],
  webhooks: ['Webhooks', 'Webhooks'],
  policies: ['Policies and monitors', 'Regeln und Beobachtungen'],
  keys: ['Keys', 'Schlüssel'],
  team: ['Team', 'Team'],
  settings: ['Settings', 'Einstellungen'],
  usage: ['Usage', 'Verbrauch'],
  activity: ['Activity', 'Protokoll'],
  platforms: ['Platforms', 'Plattformen'],
  installation: ['Installation', 'Installation'],
});
type ViewName = keyof typeof titles;

export function titleOf({ name }: { name: string }): string {
  return titles[name as ViewName];
}

/** Every view, in the order of the navigation. */
export const views: readonly View[] = [
  { path: '/', name: 'overview', key: 'o', for: 'key', load: () => import('./overview/Overview.tsx') },
  { path: '/book', name: 'book', key: 'b', for: 'key', load: () => import('./book/Book.tsx') },
  { path: '/subject/{id}', name: 'subject', for: 'key', load: () => import('./subject/Subject.tsx') },
  { path: '/inbox', name: 'inbox', key: 'n', for: 'key', load: () => import('./inbox/Inbox.tsx') },
  { path: '/imports', name: 'imports', key: 'i', for: 'key', load: () => import('./imports/Imports.tsx') },
  {
    path: '/webhooks',
    name: 'webhooks',
    key: 'w',
    for: 'key',
    load: () => import('./webhooks/Webhooks.tsx'),
  },
  {
    path: '/policies',
    name: 'policies',
    key: 'p',
    for: 'key',
    load: () => import('./policies/Policies.tsx'),
  },
  { path: '/keys', name: 'keys', key: 'k', for: 'key', load: () => import('./keys/Keys.tsx') },
  { path: '/team', name: 'team', key: 't', for: 'key', load: () => import('./team/Team.tsx') },
  {
    path: '/settings',
    name: 'settings',
    key: 's',
    for: 'key',
    load: () => import('./settings/Settings.tsx'),
  },
  { path: '/usage', name: 'usage', key: 'u', for: 'key', load: () => import('./usage/Usage.tsx') },
  {
    path: '/activity',
    name: 'activity',
    key: 'a',
    for: 'key',
    load: () => import('./activity/Activity.tsx'),
  },
  {
    path: '/',
    name: 'platforms',
    key: 'p',
    for: 'operator',
    load: () => import('./platforms/Platforms.tsx'),
  },
  { path: '/team', name: 'team', key: 't', for: 'operator', load: () => import('./team/Team.tsx') },
  {
    path: '/installation',
    name: 'installation',
    key: 'i',
    for: 'operator',
    load: () => import('./installation/Installation.tsx'),
  },
];
