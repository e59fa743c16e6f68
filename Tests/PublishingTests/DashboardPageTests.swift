internal import Amounts
internal import Foundation
@testable internal import Publishing
internal import Testing
@testable internal import Warehouse

struct DashboardPageTests {
  private func page(_ figures: PageFigures, script: String? = "var Chart;") throws -> String {
    try DashboardPage.html(figures, chartScript: script)
  }

  /// The page without its styles and scripts.
  private func markup(_ figures: PageFigures) throws -> String {
    let page = try page(figures)
    let body = try #require(page.firstRange(of: "<body"))
    let scripts = try #require(page.firstRange(of: "<script>"))
    return String(page[body.lowerBound..<scripts.lowerBound])
  }

  @Test(arguments: [
    "</script><img src=x onerror=alert(1)>", "\"><script>alert(1)</script>", "'-alert(1)-'",
    "=HYPERLINK(\"http://x\",\"y\")", "{{{style}}}", "&lt;b&gt;", "<!--", "]]>", "\u{2028}<b>",
    "\u{202E}gpj.<svg onload=alert(1)>",
    // Each of these joins the next code point to one character, which is then not equal to `<`.
    "\u{600}<script>alert(1)</script>", "\u{110BD}<img onerror=alert(1)>", "\u{70F}\" onclick=\"x",
    "<\u{301}b>", "\"\u{301} onclick=x",
  ])
  func `a product id is text, whatever it says`(_ hostile: String) throws {
    var figures = SmallPage.figures(product: hostile)
    figures.offers = [
      OfferFigures(
        offerKind: "promo", offerID: hostile, productID: hostile, paymentMode: "pay_up_front",
        currency: SmallPage.dollar,
        outcome: Outcome(
          begun: 1, mature: 1, sameProduct: 1, anyProduct: 1, refunded: 0, open: 0, lapsed: 0,
          isComplete: true, matureConverted: 1), paid: .zero, convertedPaid: .zero,
        unresolvedRows: 0)
    ]
    figures.unusedFiles = [FileFigures(name: hostile, status: "refused", records: 1)]
    let markup = try markup(figures)
    let plain = try self.markup(
      {
        var plain = figures
        plain.currencies = SmallPage.figures(product: "p").currencies
        plain.offers[0].productID = "p"
        plain.offers[0].offerID = "p"
        plain.unusedFiles[0].name = "p"
        return plain
      }())
    // There are as many marks as for a harmless id; code points are counted, as browsers do.
    for mark: Unicode.Scalar in ["<", ">", "\""] {
      #expect(
        markup.unicodeScalars.count { $0 == mark } == plain.unicodeScalars.count { $0 == mark })
    }
    let escaped = PageText().escapeText(hostile)
    #expect(markup.components(of: "<bdi>\(escaped)</bdi>") == 6)
  }

  @Test func `an amount has its currency's decimals, and thousands stand apart`() throws {
    // 1,234,567,890 thousandths are 1,234,567.89 dollars, 1,234,567.890 dinars; of 1,800,000
    // thousandths 1,800 yen are left; -5,990 thousandths are -5.99.
    let usd = Currency("USD")
    #expect(FigureText.amount(Milliunits(1_234_567_890), usd) == "1,234,567.89")
    #expect(FigureText.amount(Milliunits(1_234_567_890), Currency("KWD")) == "1,234,567.890")
    #expect(FigureText.amount(Milliunits(1_800_000), Currency("JPY")) == "1,800")
    #expect(FigureText.amount(Milliunits(-5_990), usd) == "-5.99")
    #expect(FigureText.amount(Milliunits(-123_450), usd) == "-123.45")
    #expect(FigureText.amount(.zero, usd) == "0.00")
    #expect(FigureText.count(999) == "999")
    #expect(FigureText.count(1000) == "1,000")
    #expect(FigureText.count(-1000) == "-1,000")
  }

  @Test func `a converted amount is rounded half to even, to what its currency shows`() throws {
    // 1,234,565,000 millionths are 1,234.565, which is half, and 1,234.56 is even. 1,234,575,000
    // millionths are rounded to 1,234.58.
    let euro = try #require(Currency("EUR"))
    let yen = try #require(Currency("JPY"))
    #expect(FigureText.rounded(micros: 1_234_565_000, euro) == Milliunits(1_234_560))
    #expect(FigureText.rounded(micros: 1_234_575_000, euro) == Milliunits(1_234_580))
    #expect(FigureText.rounded(micros: -1_234_575_000, euro) == Milliunits(-1_234_580))
    // 2,500,000 millionths are 2.5 yen, which is rounded to 2, because 2 is even. 3,500,000 are
    // rounded to 4.
    #expect(FigureText.rounded(micros: 2_500_000, yen) == Milliunits(2_000))
    #expect(FigureText.rounded(micros: 3_500_000, yen) == Milliunits(4_000))
    #expect(
      FigureText.rounded(micros: 1_234_500, try #require(Currency("KWD"))) == Milliunits(1_234))
  }

  @Test func `a share is rounded down, and of nothing there is none`() {
    // 386 of 387 are 99.74… %; only 387 of 387 are 100 %.
    #expect(FigureText.share(386, of: 387) == "99.7\u{A0}%")
    #expect(FigureText.share(999_999, of: 1_000_000) == "99.9\u{A0}%")
    #expect(FigureText.share(5, of: 5) == "100.0\u{A0}%")
    #expect(FigureText.share(0, of: 0) == nil)
    #expect(FigureText.share(.max, of: .max) == "100.0\u{A0}%")
  }

  @Test func `an unknown amount is said to be unknown, and is no 0`() throws {
    let markup = try markup(
      SmallPage.figures(gross: 0, low: 4_990, high: nil, unresolved: 1))
    #expect(markup.contains("<td class=\"number unknown\">no bound known</td>"))
    #expect(
      markup.contains(
        "Known amounts 0.00; with 1 unresolved row at least 4.99, no upper bound known."))
    let bounded = try self.markup(
      SmallPage.figures(gross: 0, low: 4_990, high: 9_990, unresolved: 2))
    #expect(bounded.contains("with 2 unresolved rows at least 4.99, at most 9.99."))
    let unknown = try self.markup(
      SmallPage.figures(currency: nil, gross: 0, low: 0, high: nil, unresolved: 1))
    #expect(unknown.contains("<h3>Unknown currency</h3>"))
    #expect(unknown.contains("<th scope=\"row\" class=\"unknown\">unknown</th>"))
  }

  @Test func `the page says as of when and through which day it is complete`() throws {
    let known = try markup(SmallPage.figures(completeThrough: "2021-07-31"))
    #expect(known.contains("As of <time datetime=\"2021-08-09T18:26:02Z\">"))
    #expect(known.contains("The exports are complete through 2021-07-31;"))
    let unknown = try markup(SmallPage.figures())
    #expect(
      unknown.contains(
        "The exports do not show through which day they are complete, so every figure may still "
          + "grow. {date} in a pattern of the"))
  }

  @Test func `without Chart.js the tables are all there, and the page says so`() throws {
    let with = try page(SmallPage.figures())
    let without = try page(SmallPage.figures(), script: nil)
    #expect(!with.contains("This page has no charts"))
    #expect(without.contains("This page has no charts"))
    #expect(!without.contains("var Chart;"))
    #expect(without.components(of: "<table>") == with.components(of: "<table>"))
    #expect(without.contains("<summary>USD by month and product</summary>"))
  }

  @Test(arguments: ["</script><script>alert(1)//", "\"]}", "a\\\"b", "<!--", "\u{2028}", "💸"])
  func `a text of the data cannot end the element in which the figures stand`(_ hostile: String)
    throws
  {
    var figures = DashboardFigures()
    figures.products = [hostile]
    figures.months = ["2021-01"]
    #expect(!figures.json.contains("<"))
    let read = try JSONSerialization.jsonObject(with: Data(figures.json.utf8)) as? [String: Any]
    #expect(read?["products"] as? [String] == [hostile])
  }

  @Test func `figures stand row after row under the names of their columns`() throws {
    var figures = DashboardFigures()
    figures.units = [.init(code: "USD", decimals: 2, isConverted: true)]
    var table = DashboardFigures.Table(columns: ["month", "net"])
    table.rows = [[0, -5], [1, 7]]
    figures.tables["money"] = table
    #expect(
      figures.json
        == #"{"units":[["USD",2,1]],"months":[],"completeMonths":0,"overMonths":0,"openMonths":[],"#
        + #""days":["",0,0],"products":[],"apps":[],"appsOfProducts":[],"storefronts":[],"comparedMonths":[],"causes":[],"tables":{"money":{"columns":["month","net"],"figures":[0,-5,1,7]}}}"#
    )
  }

  @Test func `a script cannot end itself, and does the same as before`() {
    let script = InlineScript("a='</script>';b=/<\\/SCRIPT/;c='<!-- </ScRiPt';")
    #expect(script.text == "a='<\\/script>';b=/<\\/SCRIPT/;c='<\\!-- <\\/ScRiPt';")
    #expect(InlineScript("let a = 1 < 2;").text == "let a = 1 < 2;")
  }

  @Test func `only the page's own scripts may run`() throws {
    // The first hash is the well-known hash of an empty text; the hash of "var Chart;" was computed
    // with openssl.
    #expect(
      InlineScript.policyHash(of: "") == "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='")
    let page = try page(SmallPage.figures())
    #expect(page.contains("default-src &#39;none&#39;"))
    for script in [InlineScript("var Chart;")] {
      #expect(page.contains(PageText().escapeText(script.policyHash)))
    }
    #expect(!page.contains("unsafe"))
    for address in ["http:", "https:", "src=", "url(", "@import"] {
      #expect(!page.contains(address), "the page names \(address)")
    }
  }

  @Test func `the same figures give the same page`() throws {
    var figures = SmallPage.figures()
    for index in 0..<20 {
      figures.dashboard.tables["table \(index)"] = DashboardFigures.Table(columns: ["a"])
    }
    #expect(try page(figures) == page(figures))
  }
}

extension String {
  /// The number of occurrences of a text.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
