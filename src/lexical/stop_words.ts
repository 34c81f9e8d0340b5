/** English words that carry no subject: no terms, and no ends of names. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the of and or in on at to for from by with as is was were are be been being has have
  had do does did it its this that these those which who whom whose what when where why how
  i you he she they we his her their our not no but if than then so such also into over
  under after before between during about both each other more most some any all one two
  first new can could would should may might will there here up out only own same very just
  don now s t re ve ll d m`.split(/\s+/),
)
