import type { APIRoute } from 'astro'
import { Problem } from '#domain/problems.ts'
import { problemResponse } from '#server/http/problem-response.ts'

export const ALL: APIRoute = () => problemResponse(new Problem('not-found'))
