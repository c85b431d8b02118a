import { posix } from 'node:path';
import type { Steps } from '#kit/backpressure/yielder.js';
import type { OpenApiDocument } from '#kit/http/openapiSchemas.js';
import { changelogPage } from './changelogPage.js';
import { badgePage, embedPage } from './embedPages.js';
import { errorsPage } from './errorsPage.js';
import { firstPage } from './firstPage.js';
import { type GuideFile, readGuides } from './guideFiles.js';
import { type MenuGroup, pagesIn } from './layout.js';
import { llmsText } from './llmsText.js';
import { renderMarkdown, withLinks } from './markdown.js';
import { atOwnAddress } from './ownAddress.js';
import { addressOf, type DocsPage, rootFrom } from './page.js';
import { operationKey, referenceAddresses, referencePage } from './reference.js';

export interface DocsSite {
  readonly menu: readonly MenuGroup[];
  /** Every page by its address below `/docs/`. */
  readonly pages: ReadonlyMap<string, DocsPage>;
  /** /llms.txt */
  readonly llms: string;
}

/** The documentation with all of its pages. They are rendered when they are asked for. */
export function* siteSteps(document: OpenApiDocument, baseUrl: string): Steps<DocsSite> {
  const menu = yield* docsMenu(document, baseUrl);
  const pages = [firstPage(menu), ...pagesIn(menu)];
  return { menu, pages: new Map(pages.map((page) => [page.path, page])), llms: llmsText(menu, baseUrl) };
}

function* docsMenu(document: OpenApiDocument, baseUrl: string): Steps<readonly MenuGroup[]> {
  const groups = readGuides();
  yield;
  const targets: Targets = {
    guides: new Map(groups.flatMap(({ guides }) => guides.map(({ file, slug }) => [file, slug] as const))),
    reference: referenceAddresses(document),
    errors: new Set(Object.keys(document.components.examples)),
  };
  yield;
  const guides: MenuGroup[] = [];
  for (const { name, guides: files } of groups) {
    const pages: DocsPage[] = [];
    for (const file of files) {
      pages.push(guidePage(file, targets, baseUrl));
      yield;
    }
    guides.push({ name, pages });
  }
  const embeds = { name: 'Your website', pages: [embedPage(baseUrl), badgePage(baseUrl)] };
  const reference = {
    name: 'Reference',
    pages: [
      yield* referencePage(document),
      errorsPage(document, targets.reference),
      changelogPage(targets.reference),
    ],
  };
  return [...guides, embeds, reference];
}

/** What texts can link to. */
interface Targets {
  /** The slug of each file. */
  readonly guides: ReadonlyMap<string, string>;
  /** The address of each operation and delivery. */
  readonly reference: ReadonlyMap<string, string>;
  readonly errors: ReadonlySet<string>;
}

function guidePage(
  { slug, file, title, summary, ...rest }: GuideFile,
  targets: Targets,
  baseUrl: string,
): DocsPage {
  const markdown = atOwnAddress(rest.markdown, baseUrl);
  const { content, sections } = renderMarkdown(markdown, {
    resolve: (target) => resolve(target, file, targets, rootFrom(slug)),
    ofCode(code) {
      const { errors, reference } = targets;
      const address = errors.has(code) ? `docs/errors#${code}` : reference.get(operationKey(code));
      return address === undefined ? undefined : rootFrom(slug) + address;
    },
  });
  const absolute = (target: string) => resolve(target, file, targets, `${baseUrl}/`, '.md');
  return {
    path: slug,
    title,
    summary,
    sections,
    markdown: `# ${title}\n\n> ${summary}\n\n${withLinks(markdown, absolute)}`,
    content: () => content,
  };
}

const ABSOLUTE = /^(https?:|mailto:)/;

/**
 * The address of a link in a file of docs/. Links are relative to the file, as in the repository.
 * Undefined: the documentation does not have the target.
 * @param ending of the addresses of guides
 */
function resolve(
  target: string,
  file: string,
  { guides, reference }: Targets,
  root: string,
  ending = '',
): string | undefined {
  if (ABSOLUTE.test(target) || target.startsWith('#')) return target;
  const [path = '', fragment] = target.split('#');
  const end = fragment === undefined ? '' : `#${fragment}`;
  if (path === '/docs' && fragment) return `${root}${reference.get(fragment) ?? `docs${end}`}`;
  if (path.startsWith('/')) return root + path.slice(1) + end;
  const slug = guides.get(posix.join(posix.dirname(file), path));
  return slug === undefined ? undefined : `${root}${addressOf(slug)}${ending}${end}`;
}
