internal import CivilTime
internal import Crypto
internal import Foundation
internal import Mustache
internal import Warehouse

/// The dashboard: one HTML page that loads nothing from the network.
enum DashboardPage {
  /// Builds the page from the published figures.
  ///
  /// - Parameters:
  ///   - chartScript: The text of Chart.js 3 or 4; `nil` for a page without charts.
  /// - Returns: The page; equal figures and script give the same bytes.
  static func html(_ figures: PageFigures, chartScript: String?) throws -> String {
    MustacheContentTypes.register(PageText(), named: PageText.name)
    let template = try MustacheTemplate(string: text(PackageResources.dashboard_mustache))
    let style = text(PackageResources.dashboard_css)
    let parts = [
      PackageResources.figures_js, PackageResources.rates_js, PackageResources.parts_js,
      PackageResources.dashboard_js,
    ]
    let scripts = ([chartScript].compactMap(\.self) + [parts.map(text).joined()])
      .map { InlineScript($0) }
    var values: [String: Any] = [
      "policy": policy(scripts: scripts, style: style),
      "style": style,
      "scripts": scripts.map(\.text),
      "no_charts": chartScript == nil,
      "complete_through": Completeness(figures.run).sentence,
      "data": figures.dashboard.json,
      "links": links(figures),
      "sections": RowBudget.fitted(sections(figures)).map(\.values),
      "finished_at": figures.run.finishedAt,
      "run": "Run \(figures.run.runID) (\(FigureText.words(figures.run.kind)))",
      "versions": figures.run.versions,
      "hash": figures.run.contentDigest,
    ]
    values["zone"] = figures.timeZone
    if figures.run.asOf != Instant.epoch.text { values["as_of"] = figures.run.asOf }
    values["equal"] = ReconciliationSection.head(figures)
    return template.render(values)
  }

  /// Creates the sections below the overview: first the details of the figures, then their quality.
  private static func sections(_ figures: PageFigures) -> [PageSection] {
    [
      ReconciliationSection.make(figures), ServiceSection.make(figures), OfferSection.make(figures),
      RevenueSection.make(figures),
      ConversionSection.make(figures),
      RefundSection.make(figures), TrustSection.make(figures), CoverageSection.make(figures),
      BacktestSection.make(figures), GateSection.make(figures), TestSection.make(figures),
      RestatementSection.make(figures),
      RejectSection.make(figures),
    ].compactMap(\.self)
  }

  /// The list of sections at the top of the page.
  private static func links(_ figures: PageFigures) -> [[String: String]] {
    [["id": "dashboard", "short": "Overview"]]
      + sections(figures).filter { !$0.short.isEmpty }.map { ["id": $0.id, "short": $0.short] }
  }

  /// The page's content security policy, which allows only the page's own style and scripts.
  ///
  /// The style and the scripts are identified by their hashes. If a text from outside became markup
  /// by mistake, browsers would not run it.
  private static func policy(scripts: [InlineScript], style: String) -> String {
    let scriptHashes = scripts.map { " \($0.policyHash)" }.joined()
    return "default-src 'none'; base-uri 'none'; form-action 'none'; "
      + "style-src \(InlineScript.policyHash(of: style)); "
      + "script-src\(scripts.isEmpty ? " 'none'" : scriptHashes)"
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// A script that is safe to embed in an HTML page.
struct InlineScript {
  /// The script with `</script` and `<!--` escaped.
  ///
  /// Unescaped, they would end the script or hide its end. In scripts they occur only in string
  /// literals, regular expressions and comments. There, a backslash before the second character
  /// does not change the meaning.
  let text: String

  init(_ source: String) {
    text =
      source
      .replacing(/(?i)<(\/script)/, with: { "<\\" + $0.output.1 })
      .replacing("<!--", with: "<\\!--")
  }

  /// The script's hash, in the format of Content-Security-Policy.
  var policyHash: String { Self.policyHash(of: text) }

  /// The hash of an inline text, in the format of Content-Security-Policy.
  static func policyHash(of text: String) -> String {
    "'sha256-\(Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString())'"
  }
}
