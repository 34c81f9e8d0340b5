/**
 * Versions of what is made of a document's text. A corpus keeps those it was begun with, in its
 * settings: its words, passages and vectors stay of one rule, whichever version of the package
 * opens it.
 */

/** The rules by which passages are cut. 1: those of release 0.1.0. */
export const CUTTING_VERSION = 1

/**
 * What of a passage is searched and embedded. 1: its title and text, as release 0.1.0. 2: the
 * headings and the table's header above it, too.
 */
export const EMBEDDED_TEXT_VERSION = 2
