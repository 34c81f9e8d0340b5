/** Words whose full stop does not end a sentence, and words that begin one. */

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/**
 * Always followed by the rest of their phrase: a title before a name, `e.g.` before an example.
 * Lower case, without the last full stop.
 */
export const NEVER_LAST = /* @__PURE__ */ words(
  'dr mr mrs ms mx prof gen rep sen gov capt cpt lt col sgt maj cmdr adm rev hon fr msgr pres ' +
    'supt mme mlle mgr hr frau sra dra e.g i.e eg ie cf viz vs v z.b d.h u.a bzw vgl c.f i.a p.ej ' +
    'str hrsg sog dipl ing bl.a f.eks t.ex s.k esim bijv dhr mevr mw o.a dott avv sig sig.ra ' +
    'p.ex av dña ул им проф акад обл стр рис т.е т.к',
)

/**
 * Followed by a number: `No. 5`, `pp. 12`, `c. 1243`, `Jan. 3`. Before anything else they are
 * judged as MAYBE_LAST.
 */
export const BEFORE_NUMBER = /* @__PURE__ */ words(
  'no nos nr p pp vol vols ch chap sec sect art arts fig figs eq eqs tab par para app ed c b d ' +
    'r fl approx circa jan feb mar apr may jun jul aug sep sept oct nov dec mon tue tues wed thu ' +
    'thur thurs fri sat sun bd abs ziff kap núm num nro pág págs pag blz kl tlf gl tel кв д ст',
)

/** May end a sentence; it does where the next word is one that begins sentences. */
export const MAYBE_LAST = /* @__PURE__ */ words(
  'st inc ltd co corp llc plc bros al est dept univ assn ave blvd rd sq mt ft jr sr esq ph.d ' +
    'm.d b.a m.a b.sc m.sc ext max min misc op cit ibid dist intl natl tel usw bzgl ggf inkl ' +
    'evtl lit dir proc acad sci biol chem mol commun eds suppl lett phys osv enz ecc ym stb vb г гг др руб т.д т.п',
)

/** All of the above; `etc` is none of them, as it ends more sentences than not. */
export const ABBREVIATIONS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...NEVER_LAST,
  ...BEFORE_NUMBER,
  ...MAYBE_LAST,
])

/** Begin sentences and hardly ever stand second in a name: an abbreviation before one is the end. */
export const STARTERS = /* @__PURE__ */ words(
  'the a an it its he she they we you i this that these those there here his her their our my ' +
    'in on at by for from with after before when while where who what why how if as although ' +
    'though however but and or so then thus since during because according also another both ' +
    'each every many most some several such one two no not is are was were did does do will ' +
    'would can could should may might let to of der die das ein eine er sie es le la les un une ' +
    'il elle el los las una',
)

/** Genitive-like month names after an ordinal: `am 3. Oktober`. */
export const ORDINAL_FOLLOWERS = /* @__PURE__ */ words(
  'januar jänner februar märz april mai juni juli august september oktober november dezember jahrhundert',
)

/** Stand before an ordinal in German and Nordic prose: `im 2. Stock`, `den 3. Verdenskrig`. */
export const ORDINAL_LEADERS = /* @__PURE__ */ words(
  'im am vom zum zur beim ins ab bis seit der die das den dem des ein eine einen einem einer ' +
    'jede jeder jedes jeden kein keine det dette und oder',
)

/** Longest entry, UTF-16 units; a longer word before a full stop is a plain word. */
export const LONGEST_ABBREVIATION = 12
