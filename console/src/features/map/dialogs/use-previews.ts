/** The maps of picked files as the server reads them. Nothing is stored by it. */
import { useQuery } from '@tanstack/react-query'
import type { MapDocument } from '@/canvas/document/document'
import { fromRow } from '@/canvas/document/wire'
import { gridFromPicture } from '@/canvas/paint/decode'
import type { Answer } from '@/shared/rpc/contract'
import { upload } from '@/shared/rpc/upload'

const PREVIEW = '/map/previewImport'

type Plan = Answer<typeof PREVIEW>['list'][number]

export interface Preview {
  readonly plan: Plan
  /** Without a grid where the browser cannot decode the picture. */
  readonly document: MapDocument
}

/** In the frame of its small picture. */
async function documentOf(plan: Plan, index: number): Promise<MapDocument> {
  const document = fromRow({
    ...plan,
    mapId: `preview-${index}`,
    revision: 1,
    width: Math.ceil(plan.width / plan.step),
    height: Math.ceil(plan.height / plan.step),
    resolution: plan.resolution * plan.step,
  })
  const bytes = Uint8Array.from(atob(plan.picture), (c) => c.charCodeAt(0))
  try {
    return { ...document, grid: await gridFromPicture(new Blob([bytes], { type: 'image/png' })) }
  } catch {
    return document
  }
}

export function usePreviews(files: readonly File[], ready: boolean) {
  return useQuery({
    queryKey: ['import-preview', ...files.map((file) => `${file.name}/${file.size}/${file.lastModified}`)],
    queryFn: async ({ signal }): Promise<Preview[]> => {
      const form = new FormData()
      for (const file of files) form.append('files', file)
      const { list } = await upload(PREVIEW, form, { signal })
      return Promise.all(list.map(async (plan, index) => ({ plan, document: await documentOf(plan, index) })))
    },
    enabled: ready,
    gcTime: 0, // the library may have changed when the files are picked again
    retry: false,
  })
}
