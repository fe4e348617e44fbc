import type { APIRoute } from 'astro'
import { Problem } from '#domain/problems.ts'
import { problemResponse } from '#server/http/pipeline/problem-response.ts'

export const ALL: APIRoute = () => problemResponse(new Problem('not-found'))
