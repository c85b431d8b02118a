import type { View } from './view.ts';

/** Every view, in the order of the navigation. */
export const views: readonly View[] = [
  {
    path: '/',
    title: { en: 'Overview', de: 'Übersicht' },
    key: 'o',
    for: 'key',
    load: () => import('./overview/Overview.tsx'),
  },
  {
    path: '/book',
    title: { en: 'Book', de: 'Bestand' },
    key: 'b',
    for: 'key',
    load: () => import('./book/Book.tsx'),
  },
  {
    path: '/subject/{id}',
    title: { en: 'Subject', de: 'Person' },
    isHidden: true,
    for: 'key',
    load: () => import('./subject/Subject.tsx'),
  },
  {
    path: '/inbox',
    title: { en: 'Inbox', de: 'Eingang' },
    key: 'n',
    for: 'key',
    load: () => import('./inbox/Inbox.tsx'),
  },
  {
    path: '/imports',
    title: { en: 'Imports', de: 'Importe' },
    key: 'i',
    for: 'key',
    load: () => import('./imports/Imports.tsx'),
  },
  {
    path: '/webhooks',
    title: { en: 'Webhooks', de: 'Webhooks' },
    key: 'w',
    for: 'key',
    load: () => import('./webhooks/Webhooks.tsx'),
  },
  {
    path: '/policies',
    title: { en: 'Policies and monitors', de: 'Regeln und Beobachtungen' },
    key: 'p',
    for: 'key',
    load: () => import('./policies/Policies.tsx'),
  },
  {
    path: '/keys',
    title: { en: 'Keys', de: 'Schlüssel' },
    key: 'k',
    for: 'key',
    load: () => import('./keys/Keys.tsx'),
  },
  {
    path: '/usage',
    title: { en: 'Usage', de: 'Verbrauch' },
    key: 'u',
    for: 'key',
    load: () => import('./usage/Usage.tsx'),
  },
  {
    path: '/activity',
    title: { en: 'Activity', de: 'Protokoll' },
    key: 'a',
    for: 'key',
    load: () => import('./activity/Activity.tsx'),
  },
  {
    path: '/',
    title: { en: 'Platforms', de: 'Plattformen' },
    key: 'p',
    for: 'operator',
    load: () => import('./platforms/Platforms.tsx'),
  },
  {
    path: '/installation',
    title: { en: 'Installation', de: 'Installation' },
    key: 'i',
    for: 'operator',
    load: () => import('./installation/Installation.tsx'),
  },
];
