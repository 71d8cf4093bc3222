// Removes parts of packages that the pages do not use: 24 KB of uPlot and 3 KB of lean-qr. Conditions become true
// or false; then the bundler removes the rest. The build fails if a package no longer has such a part.

import { readFileSync } from 'node:fs';

const functionOf = (name) => new RegExp(`^(\\t*)function ${name}\\(.*?^\\1\\}\\n`, 'ms');

// Codes of addresses, which are ASCII, as SVG.
const QR = [
  [/_=a\(t=>\(o,e\)=>\{o\.push\(1,4\).*?(?=d=a\()/s, ''], // digits, and capital letters
  [/d\._=!0,d\.u=!0;const p=.*?,C=\(\)=>/s, 'const C=()=>'], // other signs, and the choice between these
  [/toString\(\{on.*?(?=\}\),z=\[)/s, ''], // pictures of other kinds
  [/"string"==typeof t&&\(t=b\.auto\(t,l\)\);/, 't=d(t);'],
  [/P\.with=.*?;(?=export)/s, ''],
  [/e as correction,P as generate,b as mode/, 'P as generate'],
];

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
  [/= (?=(?:days|months)\.map\(|new Intl\.DateTimeFormat\(\))/g, '= /* @__PURE__ */ '],
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
  [/const (?:decIncrs|oneIncrs|wholeIncrs|numIncrs) = .*?;/g, ''], // steps and numbers of axes: our axis has functions
  [/^genIncrs\(2.*$/m, ''],
  [/: numIncrs\)\)\)/, ': null)))'],
  [/\|\| numAxisVals/, ''],
  [/\|\| numSeriesVal;/, ';'],
  [/const (?:numFormatter|fmtNum) = .*;/g, ''], // fails where the system has no language: WebKit then names the language C
  [/= (?=rect\(|_drawAcc\()/g, '= /* @__PURE__ */ '],
  [functionOf('autoPadSide'), ''],
  [/opts\.padding \|\| \[(?:autoPadSide,?)+\]/, 'opts.padding'],
  [/ifNull\(p, autoPadSide\)/, 'p'],
  [/^const yAxisOpts = \{.*?^\};/ms, 'const yAxisOpts = { show: false, scale: "x" };'],
  [/^const xySeriesOpts = \{.*?^\};/ms, ''],
  [/^const legendOpts = \{.*?^\};/ms, 'const legendOpts = {};'],
  [/markers\.\w+\s+= fnOrSelf\(markers\.\w+\);/g, ''],
  [/if \(legend\.live\) \{\s+const getMultiVals.*?^\t\}\n/ms, ''],
  [/if \(legend\.show && legend\.live && shouldSetLegend\) \{.*?\}/s, ''],
  [/if \(legend\.live\)/, 'if (true)'], // the cursor leaves
  [/legend\.idx = idx;\s+setLegend\(\);/, 'shouldSetLegend = false;'],
  ...['setSeries', 'toggleDOM', 'setFocus', 'setAlpha', 'setLegend', 'dblClick', 'doFill'].map((name) => [functionOf(name), '']),
  [/self\.(?:setSeries|setLegend|valToIdx|posToIdx) = .*;/g, ''],
  [/self\.redraw = .*?^\t\};/ms, ''],
  [/self\.(?:valToPosH|valToPosV|status) = .*;/g, ''],
  [/if \(then\) \{.*?^\telse\n\t\t_init\(\);/ms, 'then.appendChild(root);\n_init();'], // the host is an element
  [/events\.dblclick = dblClick;/, ''],
  [/events\["setSeries"\] = .*?^\t\};/ms, ''],
  [/onMouse\(dblclick, over, dblClick\);/, ''],
  [/const seriesIdxMatcher = .*?const syncKey = syncOpts\.key;/s, ''],
  [/if \(_pub\) \{\s+if \(syncKey != null\) \{.*?\n\t{4}\}\n/s, 'if (false) {'],
  [/doFill\(fillStyle, fillPath\);/g, ''],
  [/s\.fillTo = fnOrSelf\(s\.fillTo \|\| seriesFillTo\);/, ''],
  [/show: seriesPointsShow,/, 'show: false,'],
  [/sc\.clamp = fnOrSelf\(sc\.clamp \|\| clampScale\);/, ''],
  [/let (?:_prox = prox|withProx = _prox).*;/g, ''], // a cursor that finds only points nearby
  [/\bwithProx\b/g, 'false'],
  [/\bsx\.ori == 0/, 'true'],
  [/ori == 0 \? rectH : rectV/, 'rectH'],
  [functionOf('rect'), 'const rect = () => (p, x, y, w, h) => p.rect(x, y, w, h);\n'],
  [/\b(?:scale|sc)\.dir == -1/g, 'false'],
  [/\bdir == 1/g, 'true'],
  [/drag\.setScale && hasSelect && chgSelect/, 'false'],
  [/cursor\.lock\)/, 'false)'],
  [/cursor\._lock = .*;/g, ''],
  [/cursor\._lock/g, 'false'],
  [/axis\.label != null/g, 'false'],
  [/\b(?:ticks|border)\.show\b/g, 'false'],
  [/axis\.(?:ticks|border)\.stroke = .*;/g, ''],
  [/strokePath instanceof Map/, 'false'],
  [/log \? positiveIdxs : nonNullIdxs/, 'nonNullIdxs'],
  [/log \? isPositive : notNullish/, 'notNullish'],
  [/if \(opts\.title\) \{.*?\n\t\}\n/s, ''],
  [/\buni != null/, 'false'], // drags of rectangles
  [/drag\.x && drag\.y && /, 'false && '],
  [/\bbias == 0 \|\| bias == -?1/g, 'true'],
  [/axis\.align == [12]/g, 'false'],
  [/axis\._rotate \* -PI ?\/ ?180/, '0'],
  [/\bangle [<>] 0/g, 'false'],
  [/if \(angle\)/, 'if (false)'],
  [/legendTable\?\.remove\(\);/, ''],
  [/const linearPath = linear\(\) ;/, ''], // lines: our series make their own
  [/const bands\s+= self\.bands\s+= opts\.bands \|\| \[\];\s+bands\.forEach\(b => \{.*?\n\t\}\);\n/s, ''],
  [/\bgapsClip && ctx\.clip\(gapsClip\);/g, ''], // openings, which our lines have by themselves
  [/^\tspanGaps: false,\n\tgaps,\n/m, ''],
  [/axis\.rotate = fnOrSelf\(axis\.rotate\);/, ''],
  [/axis\._rotate = .*;/, ''],
  [/^\tlabelGap: 0,\n\tlabelSize: 30,\n\tlabelFont,\n/gm, ''], // the axis has no label
  [/^\trotate: 0,\n/gm, ''],
  [/\[axis\.font, axis\.labelFont\]/, '[axis.font]'],
  [/axis\.labelFont = pxRatioFont\(axis\.labelFont\);/, ''],
  [/s\.paths +\|\| linearPath \|\| retNull/, 's.paths'],
];

const CUTS = [
  [/lean-qr.index\.mjs$/, (source) => cut(source, QR)],
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
