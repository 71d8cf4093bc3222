// Removes parts of packages that the pages do not use: 12 KB of uPlot and 1 KB of the decoder of MessagePack. Conditions become true
// or false; then the bundler removes the rest. The build fails if a package no longer has such a part.

import { readFileSync } from 'node:fs';

const functionOf = (name) => new RegExp(`^(\\t*)function ${name}\\(.*?^\\1\\}\\n`, 'ms');
const methodOf = (name) => new RegExp(`^ {4}${name}\\(.*?^ {4}\\}\\n`, 'ms');

// The decoder of strings, numbers, bytes, arrays and maps in one message. decode.ts allows extension types no bytes.
const DECODER = [
  [/^ {4}\*decodeMulti\(.*?(?=^ {4}doDecodeSync\()/ms, ''], // of several messages and of streams
  ...['clone', 'appendBuffer', 'readArraySize', 'readU64AsBigInt', 'readI64AsBigInt'].map((name) => [methodOf(name), '']),
  [/if \(this\.entered\) \{.*?\}\n/s, ''], // a decoder within a decoder
  [/if \(this\.useBigInt64\)/g, 'if (false)'],
  [/!this\.rawStrings \|\| this\.stateIsMapKey\(\)/, 'true'],
  [/^try \{.*?^\}\ncatch \(e\) \{.*?^\}\n/ms, ''], // Internet Explorer
];
const NO_EXTENSIONS = `export class ExtensionCodec { static defaultCodec = { decode() { throw Error('an extension type') } } }`;

const UPLOT = [
  [/^uPlot\.assign = assign;.*(?=^export )/ms, 'uPlot.pxRatio = pxRatio;\n'], // static functions
  [/const showLegend = legend\.show;/, ''],
  [/\bshowLegend\b/g, 'false'],
  [/let multiValLegend = false;/, ''],
  [/multiValLegend = getMultiVals != null;/, ''],
  [/\bmultiValLegend\b/g, 'false'],
  [functionOf('initLegendRow'), ''],
  [functionOf('setLegendValues'), ''],
  [/\b(?:\w+\.)?(?:distr|xScaleDistr) +== +(?:2|3|4|100)\b/g, 'false'], // scales that are not linear
  [/\b(?:\w+\.)?distr +>= +3\b/g, 'false'],
  [/\bmode == 2\b/g, 'false'], // points without an order
  [/\bmode == 1\b/g, 'true'],
  [/\bscaleX\.ori == 0/g, 'true'], // an upright axis of time
  [/\bscaleX\.ori == 1/g, 'false'],
  [/\b\w+\.from != null/g, 'false'], // scales that follow another scale
  [/\b\w+\.from == null/g, 'true'],
  [/(?:let|const) isTime +=.*;/g, ''], // dates
  [/\bisTime\b/g, 'false'],
  [/const _(time(AxisSplits|AxisVals|SeriesVal)|tzDate|fmtDate) +=[^;]*;/g, ''],
  [/\b_(timeAxisSplits|timeAxisVals|timeSeriesVal|tzDate|fmtDate)\b/g, 'null'],
  [/^const \[ time.*genTimeStuffs.*;$/gm, ''],
  [/= (?=(?:days|months)\.map\(|new Intl\.DateTimeFormat\(\)|genIncrs\(2)/g, '= /* @__PURE__ */ '],
  [/new Intl\.DateTimeFormat\(\)\.resolvedOptions\(\)\.timeZone/, 'null'],
  [/if \(isObj\(mult\)\)\s+return _rangeNum.*?(?=^\})/ms, 'return [_min, _max];\n'], // ranges: all scales have functions
  [/\(rangeIsArr && \(rn\[0\] == null \|\| rn\[1\] == null\)/, '(false'],
  [/!rangeIsArr && isObj\(rn\)/, 'false'],
  [/const pointsPath = points\(\) ;/, 'const pointsPath = null;'], // points of lines; the cursor's are elements
  [/let _gaps = s\._paths.*?drawPath\(i, true\);\s+\}/s, ''],
  [/let \[ bandFillDir, bandClipDir \] = bandFillClipDirs\(.*?\);/g, ''], // bands between two lines
  [/\b(?:bandFillDir|bandClipDir) != 0/g, 'false'],
  [/\bflags != 0 && bands\.forEach\(.*?^\t\t\}\);\n/ms, ''],
  [/\bseries\.fill != null/g, 'false'],
  [/\|\| bandClip\b/g, ''],
  [/\bif \(bandClip\)/g, 'if (false)'],
  [/\bcursorOnePt\b(?! =)/g, 'false'], // the line that is nearest to the cursor
  [/\bcursorFocus\b(?! =)/g, 'false'],
  [/\bsrc != null/g, 'false'], // plots whose cursors move together
  [/\bsrc == null/g, 'true'],
  [/\be != null/g, 'true'],
  [/const sync = _sync\(syncKey\);/, ''],
  [/\bsync\.(?:un)?sub\(self\);/g, ''],
  [/if \(syncOpts\.filters\.pub\(.*?;/s, ''],
  [functionOf('pub'), ''],
  [/self\.pub = pub;/, ''],
  [/\(opts\.plugins \|\| \[\]\)\.forEach\(.*?^\t\}\);\n/gms, ''],
  ...['addSeries', 'delSeries', 'setBand', 'addBand', 'delBand'].flatMap((name) => [
    [functionOf(name), ''],
    [new RegExp(`self\\.${name} = ${name};`), ''],
  ]),
];

const CUTS = [
  [/msgpack.dist\.esm.Decoder\.mjs$/, (source) => cut(source, DECODER)],
  [/msgpack.dist\.esm.ExtensionCodec\.mjs$/, () => NO_EXTENSIONS],
  [/uPlot\.esm\.js$/, (source) => cut(source, UPLOT)],
];

function cut(source, parts) {
  return parts.reduce((text, [part, replacement]) => {
    if (text.search(part) < 0) throw new Error(`the package has no ${part}`);
    return text.replace(part, replacement);
  }, source);
}

/** The bundler's plugin. */
export const cuts = {
  name: 'cuts',
  setup(bundler) {
    for (const [filter, shorten] of CUTS) bundler.onLoad({ filter }, ({ path }) => ({ contents: shorten(readFileSync(path, 'utf8')) }));
  },
};
