/** The layers of the console (docs: shared < canvas < widgets < features < app), kept by `npm run layers`. */
const layer = (name, from, to) => ({ name, severity: 'error', from: { path: from }, to: { path: to } })

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    layer('shared-is-the-ground', '^src/shared/', '^src/(canvas|widgets|features|app)/'),
    layer(
      'canvas-is-plain',
      '^src/canvas/',
      '^src/(shared|widgets|features|app)/|(^|/)node_modules/(react|react-dom|@tanstack|antd)/',
    ),
    layer('widgets-know-no-feature', '^src/widgets/', '^src/(features|app)/'),
    layer('features-know-no-app', '^src/features/', '^src/app/'),
    {
      name: 'features-are-islands',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    {
      name: 'one-door-to-the-server',
      severity: 'error',
      comment: 'call.ts, the upload and the relay speak to servers; everything else uses their hooks',
      from: { path: '^src/(widgets|features)/', pathNot: '[.]test[.]' },
      to: { path: '^src/shared/rpc/schema' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'module', 'types', 'default'] },
  },
}
