import { addCopyButtons } from './copy.js';
import { openFormerAnchor } from './formerAnchors.js';
import { openMenus } from './menus.js';
import { makeSearch } from './search.js';
import { makeTabs } from './tabs.js';
import { makeTrials } from './trials.js';
import { makeTryForms } from './tryIt.js';

/*
 * The script of the documentation. Every page can be read without it.
 */

/** The way to the root of the service. */
const { root = '' } = document.body.dataset;
openFormerAnchor();
openMenus();
makeTabs();
addCopyButtons();
makeTrials();
makeSearch(root);
makeTryForms(root);
