"""Talk through major 2 of the official client: python mcp_2.py URL {auto,legacy}."""

import asyncio
import json
import sys

import httpx2
from conversation import agreed, converse, proof
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def talk(url: str, mode: str) -> dict[str, object]:
    async with (
        httpx2.AsyncClient(headers=proof(), timeout=30) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        listed = await client.list_tools()

        async def call(tool: str, arguments: dict[str, object]) -> dict[str, object]:
            result = await client.call_tool(tool, arguments)
            if result.is_error:
                raise SystemExit(f"{tool}: {result.content}")
            return agreed(result.content[0].text, result.structured_content)

        return {
            "protocol": client.protocol_version,
            "server": [client.server_info.name, client.server_info.version],
            "tools": [tool.name for tool in listed.tools],
            "answers": await converse(call),
        }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(talk(*sys.argv[1:]))))
