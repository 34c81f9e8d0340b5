/**
 * Owns one figure of a corpus, kept as documents come and go: how far it is a set of articles, each
 * about a name of its own. Refuses: deciding what a document is about.
 */

/**
 * Parts of a document in which shares are counted: whole numbers, whose sum does not depend on the
 * order.
 */
const UNIT = 2 ** 20

export class AboutShare {
  private documents = 0
  private sum = 0
  private about = new Int32Array(256) // documents about each name
  private named = new Int32Array(256) // of them, those that name it in their opening

  /**
   * Counts one document more or less that is about `name` (-1: none), and whether its opening names
   * it.
   */
  change(name: number, by: 1 | -1, names: boolean): void {
    this.documents += by
    if (name < 0) return
    if (name >= this.about.length) {
      const size = Math.max(name + 1, this.about.length * 2)
      const about = new Int32Array(size),
        named = new Int32Array(size)
      about.set(this.about)
      named.set(this.named)
      this.about = about
      this.named = named
    }
    this.sum -= this.part(name)
    this.about[name] = (this.about[name] as number) + by
    if (names) this.named[name] = (this.named[name] as number) + by
    this.sum += this.part(name)
  }

  /**
   * Sum over names of the share of their documents that name them, over all documents; in [0, 1].
   */
  get share(): number {
    return this.documents === 0 ? 0 : this.sum / UNIT / this.documents
  }

  private part(name: number): number {
    const about = this.about[name] as number
    return about === 0 ? 0 : Math.round((UNIT * (this.named[name] as number)) / about)
  }
}
