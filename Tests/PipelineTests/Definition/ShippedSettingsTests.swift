internal import Amounts
internal import CivilTime
@testable internal import Commands
internal import Foundation
internal import PaidAmounts
@testable internal import Pipeline
internal import PurchaseModel
internal import TestSupport
internal import Testing

/// The settings files that come with the program.
struct ShippedSettingsTests {
  private static let pipelines = Checkout.folder.appendingPathComponent("Pipelines")

  @Test func `every pipeline of the repository can be read`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.pipelines.path)
      .filter { $0.hasSuffix(".yaml") }
    #expect(names.contains("nightly.yaml") && names.contains("sample.yaml"))
    for name in names {
      let path = Self.pipelines.appendingPathComponent(name).path
      #expect(throws: Never.self) { try PipelineDefinition.read(path: path) }
    }
  }

  @Test func `the pipeline that init writes can be read, and its commented parts too`() throws {
    let pipeline = try PipelineDefinition.read(
      path: "shop/pipeline.yaml", text: PipelineTemplate.pipeline)
    #expect(pipeline.statePath == "shop/var/state.db")
    #expect(pipeline.cataloguePaths == ["shop/catalog.yaml"])
    #expect(pipeline.keysWithoutEffect.isEmpty)
    let whole = PipelineTemplate.pipeline
      .replacing("  # prices:", with: "  prices:")
      .replacing("# apple_reports:", with: "apple_reports:")
      .replacing("# corrections:", with: "corrections:")
      .replacing("# customer_key_file:", with: "customer_key_file:")
    let complete = try PipelineDefinition.read(path: "shop/pipeline.yaml", text: whole)
    #expect(complete.pricePatterns.count == 1)
    #expect(complete.customerKeyPath == "shop/customer.key")
    #expect(complete.reportPatterns.count == 1)
    #expect(complete.correctionsPath == "shop/corrections.yaml")
    let section = PipelineTemplate.pipeline.split(separator: "\n")
      .drop { $0 != "# fetch:" }.prefix { !$0.hasPrefix("# Receipts") }.map { $0.dropFirst(2) }
    let fetching = try PipelineDefinition.read(
      path: "shop/pipeline.yaml",
      text: PipelineTemplate.pipeline + section.joined(separator: "\n") + "\n")
    #expect(fetching.fetching?.prices != nil)

    let catalogue = try CatalogueText.read(path: "c.yaml", text: PipelineTemplate.catalogue)
    #expect(catalogue.products.isEmpty)
    let parts = PipelineTemplate.catalogue.split(separator: "# Apple's commission")
    let sections = parts[0].split(separator: "# Days of App Store")
    let times = try CatalogueText.read(
      path: "c.yaml",
      text: sections[1].split(separator: "\n").dropFirst()
        .filter { !$0.hasPrefix("# Currencies") }.map { $0.dropFirst(2) }
        .joined(separator: "\n"))
    #expect(times.products.map(\.promoCodes.count) == [1])
    #expect(times.rebased.map(\.factor.text) == ["100"])
    let lines = sections[0].replacing("products: []", with: "products:")
      .split(separator: "\n").map { $0.hasPrefix("#  ") ? $0.dropFirst() : $0 }
    let full = try CatalogueText.read(path: "c.yaml", text: lines.joined(separator: "\n"))
    #expect(full.products.map(\.productID) == ["pro.monthly"])
    #expect(full.products[0].offers.map(\.identifier) == ["SPRING21"])
    #expect(full.products[0].prices.map(\.price.rawValue) == [12_990, 13_990])

    let terms = parts[1].split(separator: "\n").dropFirst(2).map { $0.dropFirst(2) }
    let proceeds = try #require(
      CatalogueText.read(path: "c.yaml", text: terms.joined(separator: "\n")).proceeds)
    #expect(proceeds.commissions.count == 3)
    #expect(proceeds.smallBusiness.count == 1)
    #expect(proceeds.taxes.map(\.isIncluded) == [false, true])
  }

  @Test func `moving a line of the catalogue is no new setting`() throws {
    let text = "products: [{product_id: p, prices: [{currency: USD, price: 1, from: 2021-01-01}]}]"
    let moved = try CatalogueText.read(path: "c.yaml", text: "# a comment\n\n" + text)
    let digests = [try CatalogueText.read(path: "c.yaml", text: text), moved].map { catalogue in
      ReconstructSettings(
        catalogue: catalogue, renewalPolicy: .history, bundleIDs: [],
        customerKey: CustomerKey.fixed, asOf: nil
      ).digest
    }
    #expect(digests[0] == digests[1])
    #expect(
      moved.place(
        ofPrice: .init(1000), from: .init(daysSinceEpoch: 18_628),
        in: try #require(.init("USD")), of: "p")?.line == 3)
  }
}
