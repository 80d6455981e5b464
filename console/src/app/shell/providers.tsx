/** What every screen under the layout stands on: queries and short messages. */
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Toasts } from '@/shared/controls/toasts'
import { queryClient } from '../query-client'

export const Providers = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    {children}
    <Toasts />
  </QueryClientProvider>
)
