/** The screens of maps come in one file: whoever opens the list draws next. */
export { EditorScreen } from './editor/editor-screen'
export { MapListScreen } from './map-list-screen'
