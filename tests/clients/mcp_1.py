"""Talk through major 1 of the official client: python mcp_1.py URL."""

import asyncio
import json
import sys

import httpx
from conversation import agreed, converse, proof
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client


async def talk(url: str) -> dict[str, object]:
    async with (
        httpx.AsyncClient(headers=proof(), timeout=30) as http,
        streamable_http_client(url, http_client=http) as (reading, writing, _),
        ClientSession(reading, writing) as session,
    ):
        opened = await session.initialize()
        listed = await session.list_tools()

        async def call(tool: str, arguments: dict[str, object]) -> dict[str, object]:
            result = await session.call_tool(tool, arguments)
            if result.isError:
                raise SystemExit(f"{tool}: {result.content}")
            return agreed(result.content[0].text, result.structuredContent)

        return {
            "protocol": opened.protocolVersion,
            "server": [opened.serverInfo.name, opened.serverInfo.version],
            "tools": [tool.name for tool in listed.tools],
            "answers": await converse(call),
        }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(talk(*sys.argv[1:]))))
