"""The words of the referee’s pages, and where their links lead."""

import re


def text_of(answer, status=200):
    assert answer.status_code == status, answer.text
    return " ".join(re.sub(r"<[^>]+>", " ", answer.text).split())


def verdict_of(answer, status=200):
    """The words of the verdict box."""
    text_of(answer, status)
    box = re.search(r'<div class="verdict[^"]*".*?</div>\s*</div>', answer.text, re.DOTALL).group()
    return " ".join(re.sub(r"<[^>]+>", " ", box).split())


def links(client, path):
    main = client.get(path).text.split("<main", 1)[1].split("</main>")[0]
    return re.findall(r'href="([^"#]+)"', main)
