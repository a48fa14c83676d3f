//! A block as Parquet: the only place that knows it.
//!
//! The columns are plain numbers, because rounded ones are smallest that way, and compressed. Nothing in a block says which
//! program wrote it, or when. Columns are read and written by their types, and not by whichever the schema says: so a binary
//! holds the code of three types and not of all eight. Tested through `pack` and `unpack`.

use std::sync::Arc;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::reader::ColumnReaderImpl;
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{
    SerializedFileWriter, SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite,
};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnPath, SchemaDescriptor};
use tripline_model::{Point, Spread};

/// The columns, in order. Frozen, as each of these lists: another version is another list beside them.
const SCHEMA: &str = "message points {
    required int32 series (UINT_32);
    required int32 run (UINT_32);
    required double center;
    optional double low;
    optional double high;
    optional int32 count (UINT_32);
    optional double reach;
    optional double value;
    optional binary range (UTF8);
    optional binary extra (UTF8);
}";

/// The same with one more, for segments of which some row has it.
const SCHEMA_WITH_MEMBERS: &str = "message points {
    required int32 series (UINT_32);
    required int32 run (UINT_32);
    required double center;
    optional double low;
    optional double high;
    optional int32 count (UINT_32);
    optional double reach;
    optional double value;
    optional binary range (UTF8);
    optional binary extra (UTF8);
    optional binary members (UTF8);
}";

/// Where the members stand, if they do.
const MEMBERS: usize = 10;

/// What wrote a block, the same for ever: what it holds alone gives it its name.
const CREATOR: &str = "tripline";

/// More takes four times as long for a hundredth.
const ZSTD_LEVEL: i32 = 3;

/// One point of a series.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    /// The number of the series in the segment.
    pub(crate) series: u32,
    /// Which record of the segment.
    pub(crate) run: u32,
    /// The point.
    pub(crate) point: Point,
    /// Its value in the unit that it was written in, where that was another.
    pub(crate) value: Option<f64>,
    /// What was written as its range.
    pub(crate) range: Option<ByteArray>,
    /// What else was written of it.
    pub(crate) extra: Option<ByteArray>,
    /// Members that were written otherwise than the rest says.
    pub(crate) members: Option<ByteArray>,
}

/// Makes a block of groups of whole series, in order, with members of their rows or without.
pub(crate) fn block_of(groups: impl IntoIterator<Item = Vec<Row>>, has_members: bool) -> Vec<u8> {
    written(groups, has_members).expect("what is written to memory, column by column, is written")
}

fn written(groups: impl IntoIterator<Item = Vec<Row>>, has_members: bool) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let schema = match has_members {
        true => SCHEMA_WITH_MEMBERS,
        false => SCHEMA,
    };
    let schema = Arc::new(parse_message_type(schema)?);
    let columns = SchemaDescriptor::new(Arc::clone(&schema));
    let properties = Arc::new(properties()?);
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::clone(&properties))?;
    for rows in groups {
        let mut group = NewGroup {
            group: writer.next_row_group()?,
            columns: &columns,
            properties: &properties,
            next: 0,
        };
        group.write(&rows)?;
        group.group.close()?;
    }
    writer.close()?;
    Ok(bytes)
}

fn properties() -> Result<WriterProperties> {
    let mut properties = WriterProperties::builder()
        .set_created_by(CREATOR.to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true)
        .set_dictionary_enabled(false);
    let column = |name: &str| ColumnPath::from(name);
    for name in ["series", "run"] {
        properties = properties.set_column_encoding(column(name), Encoding::DELTA_BINARY_PACKED);
    }
    for name in ["count", "range", "extra", "members"] {
        properties = properties.set_column_dictionary_enabled(column(name), true);
    }
    // Which series a group holds is read there, and nothing else is asked of statistics.
    let properties =
        properties.set_column_statistics_enabled(column("series"), EnabledStatistics::Chunk);
    Ok(properties.build())
}

/// A group that is being written.
struct NewGroup<'a, 'b> {
    group: SerializedRowGroupWriter<'a, &'b mut Vec<u8>>,
    columns: &'a SchemaDescriptor,
    properties: &'a WriterPropertiesPtr,
    next: usize,
}

impl NewGroup<'_, '_> {
    fn write(&mut self, rows: &[Row]) -> Result<()> {
        let quartiles = |row: &Row| match row.point.spread {
            Spread::Quartiles { low, high, count } => Some((low, high, count)),
            Spread::Nothing | Spread::Reach(_) => None,
        };
        let reach = |row: &Row| match row.point.spread {
            Spread::Reach(reach) => Some(reach),
            Spread::Nothing | Spread::Quartiles { .. } => None,
        };
        let all = |number: fn(&Row) -> u32| rows.iter().map(number).map(u32::cast_signed);
        self.column::<Int32Type>(all(|row| row.series).collect(), None)?;
        self.column::<Int32Type>(all(|row| row.run).collect(), None)?;
        let centers = rows.iter().map(|row| row.point.center);
        self.column::<DoubleType>(centers.collect(), None)?;
        let spreads = || rows.iter().map(quartiles);
        self.some::<DoubleType>(spreads().map(|all| Some(all?.0)))?;
        self.some::<DoubleType>(spreads().map(|all| Some(all?.1)))?;
        self.some::<Int32Type>(spreads().map(|all| Some(all?.2.cast_signed())))?;
        self.some::<DoubleType>(rows.iter().map(reach))?;
        self.some::<DoubleType>(rows.iter().map(|row| row.value))?;
        self.some::<ByteArrayType>(rows.iter().map(|row| row.range.clone()))?;
        self.some::<ByteArrayType>(rows.iter().map(|row| row.extra.clone()))?;
        if self.columns.num_columns() > MEMBERS {
            self.some::<ByteArrayType>(rows.iter().map(|row| row.members.clone()))?;
        }
        Ok(())
    }

    /// Writes the next column.
    fn column<T: DataType>(&mut self, values: Vec<T::T>, levels: Option<&[i16]>) -> Result<()> {
        let column = self.columns.column(self.next);
        self.next += 1;
        let mut bytes = TrackedWrite::new(Vec::new());
        let pages = Box::new(SerializedPageWriter::new(&mut bytes));
        let mut column = ColumnWriterImpl::<T>::new(column, Arc::clone(self.properties), pages);
        column.write_batch(&values, levels, None)?;
        let closed = column.close()?;
        let bytes = bytes::Bytes::from(bytes.into_inner()?);
        self.group.append_column(&bytes, closed)
    }

    /// Writes the next column, which not every row has a value of.
    fn some<T: DataType>(&mut self, values: impl Iterator<Item = Option<T::T>>) -> Result<()> {
        let mut levels = Vec::new();
        let mut there = Vec::new();
        for value in values {
            levels.push(i16::from(value.is_some()));
            there.extend(value);
        }
        self.column::<T>(there, Some(&levels))
    }
}

/// A block that is read group by group.
pub(crate) struct Rows {
    bytes: Arc<bytes::Bytes>,
    metadata: ParquetMetaData,
}

impl Rows {
    /// Opens a block.
    pub(crate) fn open(block: Vec<u8>) -> Result<Self> {
        guarded(|| {
            let bytes = Arc::new(bytes::Bytes::from(block));
            let metadata = ParquetMetaDataReader::new().parse_and_finish(&*bytes)?;
            for known in [SCHEMA, SCHEMA_WITH_MEMBERS] {
                if metadata.file_metadata().schema() == &parse_message_type(known)? {
                    return Ok(Self { bytes, metadata });
                }
            }
            Err(ParquetError::General("it has other columns".to_owned()))
        })
    }

    /// Returns all rows, group by group.
    pub(crate) fn all(&self) -> impl Iterator<Item = Result<Vec<Row>>> + '_ {
        self.groups().map(|group| guarded(|| group.read()))
    }

    /// Returns the rows of one series: one group is read, and the others are not.
    pub(crate) fn of(&self, series: u32) -> Result<Vec<Row>> {
        guarded(|| {
            let group = self.groups().find(|group| group.has(series));
            let mut rows = group.map_or_else(|| Ok(Vec::new()), |group| group.read())?;
            rows.retain(|row| row.series == series);
            Ok(rows)
        })
    }

    fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        let bytes = &self.bytes;
        let groups = self.metadata.row_groups().iter();
        groups.map(move |metadata| Group { bytes, metadata })
    }
}

/// Reads something, and takes a panic for an error. What was damaged is kept out by what a block is named after; somebody
/// can still have named a block after whatever it holds, and of some such bytes the library says so by a panic.
fn guarded<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(read));
    read.unwrap_or_else(|_| Err(ParquetError::General("it is no Parquet".to_owned())))
}

/// One group of a block.
struct Group<'a> {
    bytes: &'a Arc<bytes::Bytes>,
    metadata: &'a RowGroupMetaData,
}

impl Group<'_> {
    /// Says whether it may hold a series.
    fn has(&self, series: u32) -> bool {
        match self.metadata.column(0).statistics() {
            Some(Statistics::Int32(of)) => {
                let ends = of.min_opt().zip(of.max_opt());
                ends.is_some_and(|(min, max)| {
                    (min.cast_unsigned()..=max.cast_unsigned()).contains(&series)
                })
            }
            _ => false,
        }
    }

    /// Reads all rows of it.
    fn read(&self) -> Result<Vec<Row>> {
        let series = self.values::<Int32Type>(0)?;
        let runs = self.values::<Int32Type>(1)?;
        let centers = self.values::<DoubleType>(2)?;
        let mut lows = self.values::<DoubleType>(3)?.into_iter();
        let mut highs = self.values::<DoubleType>(4)?.into_iter();
        let mut counts = self.values::<Int32Type>(5)?.into_iter();
        let mut reaches = self.values::<DoubleType>(6)?.into_iter();
        let mut written = self.values::<DoubleType>(7)?.into_iter();
        let mut ranges = self.values::<ByteArrayType>(8)?.into_iter();
        let mut extras = self.values::<ByteArrayType>(9)?.into_iter();
        let mut members = match self.metadata.num_columns() > MEMBERS {
            true => self.values::<ByteArrayType>(MEMBERS)?,
            false => vec![None; series.len()],
        }
        .into_iter();
        let cut = || ParquetError::EOF("a column is shorter than the others".to_owned());
        let mut rows = Vec::with_capacity(series.len());
        for ((series, run), center) in series.into_iter().zip(runs).zip(centers) {
            let low = lows.next().ok_or_else(cut)?;
            let high = highs.next().ok_or_else(cut)?;
            let count = counts.next().ok_or_else(cut)?;
            let spread = match (low, high, count, reaches.next().ok_or_else(cut)?) {
                (Some(low), Some(high), Some(count), None) => Spread::Quartiles {
                    low,
                    high,
                    count: count.cast_unsigned(),
                },
                (None, None, None, Some(reach)) => Spread::Reach(reach),
                (None, None, None, None) => Spread::Nothing,
                _ => return Err(ParquetError::General("a spread is none".to_owned())),
            };
            rows.push(Row {
                series: series.ok_or_else(cut)?.cast_unsigned(),
                run: run.ok_or_else(cut)?.cast_unsigned(),
                point: Point {
                    center: center.ok_or_else(cut)?,
                    spread,
                },
                value: written.next().ok_or_else(cut)?,
                range: ranges.next().ok_or_else(cut)?,
                extra: extras.next().ok_or_else(cut)?,
                members: members.next().ok_or_else(cut)?,
            });
        }
        Ok(rows)
    }

    /// Reads a column of it.
    fn values<T: DataType>(&self, column: usize) -> Result<Vec<Option<T::T>>> {
        let rows = usize::try_from(self.metadata.num_rows());
        let rows = rows.map_err(|error| ParquetError::General(error.to_string()))?;
        let column = self.metadata.column(column);
        let pages = SerializedPageReader::new(Arc::clone(self.bytes), column, rows, None)?;
        let mut reader = ColumnReaderImpl::<T>::new(column.column_descr_ptr(), Box::new(pages));
        let (mut values, mut levels) = (Vec::new(), Vec::new());
        let mut read = 0;
        while read < rows {
            match reader.read_records(rows - read, Some(&mut levels), None, &mut values)? {
                (0, _, _) => return Err(ParquetError::EOF("a column is cut".to_owned())),
                (records, _, _) => read += records,
            }
        }
        if levels.is_empty() {
            return Ok(values.into_iter().map(Some).collect());
        }
        let mut values = values.into_iter();
        let value = |level: i16| if level > 0 { values.next() } else { None };
        Ok(levels.into_iter().map(value).collect())
    }
}
